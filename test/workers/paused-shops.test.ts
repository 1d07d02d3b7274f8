import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockQueuedEvents } from '../../src/automations/event-queue-store.ts'
import { lockDueRuns } from '../../src/automations/run-store.ts'
import { listDueDecisions } from '../../src/claims/claims/decision-store.ts'
import { leaseBackfill, lockLeasedBackfill } from '../../src/connections/backfills/store.ts'
import { leaseCatchUp, lockLeasedCatchUp } from '../../src/connections/catch-up/store.ts'
import { leaseQueue } from '../../src/connections/order-fetches/store.ts'
import { leaseDueWebhooks } from '../../src/connections/shop-systems/webhook-store.ts'
import { fetchDeliveries, findDueReceivers } from '../../src/delivery/queue/fetch-store.ts'
import { fetchReserved } from '../../src/delivery/queue/reserved-store.ts'
import { leaseChangedDays } from '../../src/figures/analytics/roll-up-store.ts'
import { hasSendsInFlight } from '../../src/installation/shop-moves/store.ts'
import { leaseTeamMail } from '../../src/messages/team-mail/outbox-store.ts'
import { listDueDigests } from '../../src/messages/team-mail/settings-store.ts'
import { listEndedIncidents, listNewFailures } from '../../src/messages/team-reports/incident-store.ts'
import { leaseDueImport } from '../../src/orders/imports/resume-import.ts'
import { listTriggers } from '../../src/orders/internal-triggers/store.ts'
import { leaseFetches } from '../../src/orders/orders/segment-store.ts'
import { after, dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { Context } from '../../src/platform/foundation/context.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import { inTransaction } from '../../src/platform/foundation/transaction.ts'
import { findCarrierSettings } from '../../src/shops/settings/store.ts'
import { listShopsWithWork } from '../../src/tracking/exceptions/evaluation-store.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeWholeShops, type WholeShop } from '../harness/whole-shop.ts'

// Its workers are stopped by making the whole shop: here, their claims are made one by one.
const service = await startTestService({}, await openTestDatabase())
const [whole] = (await makeWholeShops(service, 1)) as [WholeShop]
const { db } = service.database
const shopId = whole.id

afterAll(async () => {
  clock.reset()
  await service.stop()
  await whole.filled.close()
})

const mark = (column: 'paused_at' | 'deleted_at', at: Date | null) =>
  sql`update shops set ${sql.ref(column)} = ${at} where id = ${shopId}`.execute(db)
const shopIdsOf = (rows: readonly { shopId: string }[]) => rows.map((row) => row.shopId)
const shopIdOf = (row: { shop_id: string | null } | undefined) => (row?.shop_id ? [row.shop_id] : [])

/** Every way by which work of a shop is found: the shops that it finds. */
const searches: Record<string, (context: Context) => Promise<string[]>> = {
  'receivers with due deliveries': async (context) => shopIdsOf(await findDueReceivers(context, context.now, 1_000)),
  'due deliveries of a receiver': async (context) => {
    const lease = { worker: newId(context.now), now: context.now, until: after(context.now, minuteMs) }
    const request = { shopId, receiverId: 'braze', limit: 10, isLeased: false, exclude: [] }
    return shopIdsOf((await fetchDeliveries(context, [request], lease)).deliveries)
  },
  'deliveries reserved to newer nodes': async (context) =>
    shopIdsOf(await fetchReserved(context, { now: context.now, until: after(context.now, minuteMs), limit: 10 })),
  'events for automations': (context) =>
    inTransaction(context, async (context) => (await lockQueuedEvents(context, shopId, 10)).map(() => shopId)),
  'automation runs': (context) => inTransaction(context, async (context) => shopIdsOf(await lockDueRuns(context, 100))),
  'internal triggers': async (context) => shopIdsOf(await listTriggers(context, undefined, 100)),
  'customers whose segments are due': async (context) =>
    shopIdsOf(await leaseFetches(context, after(context.now, minuteMs), 100)),
  'parcels to follow': async (context) => {
    const settings = await findCarrierSettings(context, [shopId], { isLocked: false })
    return [...settings].flatMap(([id, { isOn }]) => (isOn ? [id] : []))
  },
  exceptions: async (context) =>
    (await listShopsWithWork(context, undefined, 100)).filter(({ hasWork }) => hasWork).map((found) => found.shopId),
  'days to count': async (context) => shopIdsOf((await leaseChangedDays(context, 100)).days),
  'claim decisions': async (context) => shopIdsOf(await listDueDecisions(context, 100)),
  'messages to the team': async (context) => shopIdOf(await leaseTeamMail(context, after(context.now, minuteMs))),
  'digests for the team': async (context) => shopIdsOf(await listDueDigests(context, 100)),
  'failures to alert about': async (context) =>
    shopIdsOf(await listNewFailures(context, { receiver: context.now, provider: context.now }, 100)),
  'incidents that are over': async (context) => shopIdsOf(await listEndedIncidents(context, 100)),
  'webhooks of shop systems': async (context) => (await leaseDueWebhooks(context, 100)).flatMap((row) => shopIdOf(row)),
  'orders to fetch from Shopware': async (context) =>
    shopIdOf(await leaseQueue(context, 'shopware', after(context.now, minuteMs))),
  'orders to fetch from WooCommerce': async (context) =>
    shopIdOf(await leaseQueue(context, 'woocommerce', after(context.now, minuteMs))),
  imports: async (context) => shopIdOf(await leaseDueImport(context)),
  backfills: async (context) => shopIdOf(await leaseBackfill(context, after(context.now, minuteMs))),
  'catch-ups with a shop system': async (context) =>
    shopIdOf(await leaseCatchUp(context, after(context.now, minuteMs))),
}

/** Found for a deleted shop as well, where they end without an effect. */
const endedByDeletion = [
  'events for automations',
  'automation runs',
  'customers whose segments are due',
  'days to count',
]

describe('paused or deleted shop', () => {
  beforeAll(async () => {
    const now = clock.now()
    await sql`update imports set due_at = ${now} where shop_id = ${shopId}`.execute(db)
    await sql`update backfills set due_at = ${now} where shop_id = ${shopId}`.execute(db)
    await sql`
      insert into team_mail_settings (shop_id, next_digest_at) values (${shopId}, ${now})
      on conflict (shop_id) do update set next_digest_at = excluded.next_digest_at`.execute(db)
    // One that was alerted about fails since another time, and one was not alerted about.
    for (const provider of ['dhl', 'ups']) {
      await sql`
        insert into provider_accounts (shop_id, provider, next_free_at, failing_since)
        values (${shopId}, ${provider}, ${now}, ${after(now, -dayMs)})
        on conflict (shop_id, provider) do update set failing_since = excluded.failing_since`.execute(db)
    }
    // One delivery that automations have not read yet, and one that only newer nodes may send.
    const copyOf = (id: string, target: string, reservedAt: Date | null) => sql`
      insert into deliveries (shop_id, id, notification_id, target, event_name, event_group, status, next_attempt_at,
        created_at, reserved_due_at)
      select shop_id, ${id}, id, ${target}, event_name, event_group, 'pending', ${now}, ${now}, ${reservedAt}
      from notifications where shop_id = ${shopId} order by id limit 1`
    await copyOf(newId(now), 'automations', null).execute(db)
    await copyOf(newId(now), 'klaviyo', now).execute(db)
    clock.advance(dayMs)
  })

  it.each(Object.keys(searches))('is not searched for %s, and is again when that is undone', async (name) => {
    const find = searches[name]
    if (find === undefined) throw new Error(`there is no search for ${name}`)
    for (const column of ['paused_at', 'deleted_at'] as const) {
      if (column === 'deleted_at' && endedByDeletion.includes(name)) continue
      await mark(column, clock.now())
      expect(await find(service.context()), column).toEqual([])
      await mark(column, null)
    }
    expect(await find(service.context())).toContain(shopId)
  })

  it('interrupts an import from a shop system that is in progress', async () => {
    clock.advance(dayMs)
    const leaseUntil = after(clock.now(), minuteMs)
    const context = service.context()
    const [backfill, catchUp] = [await leaseBackfill(context, leaseUntil), await leaseCatchUp(context, leaseUntil)]
    if (backfill === undefined || catchUp === undefined) throw new Error('there is nothing to claim')
    const areOurs = async () => [await lockLeasedBackfill(context, backfill), await lockLeasedCatchUp(context, catchUp)]
    expect(await areOurs()).toEqual([true, true])
    for (const column of ['paused_at', 'deleted_at'] as const) {
      await mark(column, clock.now())
      expect(await areOurs(), column).toEqual([false, false])
      await mark(column, null)
    }
  })
})

type Begin = (until: Date, now: Date) => RawBuilder<unknown>

/** Work that a worker has begun for the shop, until then. */
const inFlight: Record<string, Begin> = {
  'a lease on a queue': (until) => sql`
    update receiver_leases set leased_until = ${until} where shop_id = ${shopId} and target = 'braze'`,
  'a delivery that was claimed as it was enqueued': (until) => sql`
    insert into deliveries (shop_id, id, notification_id, target, event_name, event_group, status, next_attempt_at,
      created_at)
    select shop_id, gen_random_uuid(), id, 'klaviyo', event_name, event_group, 'pending', ${until}, triggered_at
    from notifications where shop_id = ${shopId} limit 1`,
  'a message to the team': (until) => sql`
    update team_mails set is_claimed = true, due_at = ${until} where shop_id = ${shopId}`,
  'a call to Shopware': (until, now) => sql`
    update shopware_fetch_queues set fetch_at = ${now}, blocked_until = ${until} where shop_id = ${shopId}`,
  'a call to WooCommerce': (until, now) => sql`
    update woocommerce_fetch_queues set fetch_at = ${now}, blocked_until = ${until} where shop_id = ${shopId}`,
}

/** Work that waits for its time, and is not in flight. */
const waiting: Record<string, Begin> = {
  'a delivery that is retried later': (until) => sql`
    update deliveries set next_attempt_at = ${until}, attempts = 1 where shop_id = ${shopId} and finished_at is null`,
  'a delivery that was postponed': (until) => sql`
    update deliveries set next_attempt_at = ${until}, postponed_until = ${until}, attempts = 0
    where shop_id = ${shopId} and finished_at is null`,
  'a message to the team that failed': (until) => sql`
    update team_mails set is_claimed = false, due_at = ${until} where shop_id = ${shopId}`,
  'a fetch that the shop system has postponed': (until) => sql`
    update shopware_fetch_queues set fetch_at = ${until}, blocked_until = ${until} where shop_id = ${shopId}`,
}

describe('shop that is being paused', () => {
  const isBusyWith = async (begin: Begin) => {
    const now = clock.now()
    const transaction = await db.startTransaction().execute()
    try {
      const { numAffectedRows } = await begin(after(now, minuteMs), now).execute(transaction)
      expect(Number(numAffectedRows)).toBeGreaterThan(0)
      return await hasSendsInFlight({ db: transaction }, shopId, now)
    } finally {
      await transaction.rollback().execute()
    }
  }

  beforeAll(() => clock.advance(dayMs))

  it('has nothing in flight once everything has ended', async () => {
    expect(await hasSendsInFlight({ db }, shopId, clock.now())).toBe(false)
  })

  it.each(Object.entries(inFlight))('is waited for while there is %s', async (_name, begin) => {
    expect(await isBusyWith(begin)).toBe(true)
  })

  it.each(Object.entries(waiting))('is not waited for because of %s', async (_name, begin) => {
    expect(await isBusyWith(begin)).toBe(false)
  })
})
