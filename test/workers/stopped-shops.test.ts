import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { insertBackfill, leaseBackfill, lockLeasedBackfill } from '../../src/connections/backfills/store.ts'
import { leaseQueue, requestFetches } from '../../src/connections/order-fetches/store.ts'
import { leaseDueWebhooks, wantWebhooks } from '../../src/connections/shop-systems/webhook-store.ts'
import { insertTeamMail, leaseTeamMail } from '../../src/messages/team-mail/outbox-store.ts'
import { listDueDigests } from '../../src/messages/team-mail/settings-store.ts'
import { after, dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../src/platform/foundation/context.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import { findShopIdentity } from '../../src/shops/shops/store.ts'
import { openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

// Without workers, so that what is due waits for these tests.
const service = await startTestService({ ROLE: 'api' }, await openTestDatabase())
afterAll(() => service.stop())

interface Queue {
  /** Puts something due into it. */
  fill(context: ShopContext): Promise<unknown>
  /** The shops whose work a worker gets. */
  take(context: Context): Promise<(string | null | undefined)[]>
}

const leaseUntil = (context: Context) => after(context.now, minuteMs)

const fetchesOf = (system: 'shopware' | 'woocommerce'): Queue => ({
  fill: (context) => requestFetches(context, system, [{ orderId: '1', isDeleted: false }]),
  take: async (context) => [(await leaseQueue(context, system, leaseUntil(context)))?.shop_id],
})

const queues: Record<string, Queue> = {
  'orders to fetch from Shopware': fetchesOf('shopware'),
  'orders to fetch from WooCommerce': fetchesOf('woocommerce'),
  'webhooks to check': {
    fill: (context) => wantWebhooks(context, 'woocommerce'),
    take: async (context) => (await leaseDueWebhooks(context, 10)).map(({ shop_id }) => shop_id),
  },
  'past orders to bring in': {
    fill: (context) => insertBackfill(context, { system: 'shopify', days: 30, since: after(context.now, -30 * dayMs) }),
    take: async (context) => [(await leaseBackfill(context, leaseUntil(context)))?.shop_id],
  },
  'digests to the team': {
    fill: ({ db, shop, now }) =>
      db.insertInto('team_mail_settings').values({ shop_id: shop.id, next_digest_at: now }).execute(),
    take: async (context) => (await listDueDigests(context, 10)).map(({ shopId }) => shopId),
  },
  'messages to the team': {
    fill: (context) => insertTeamMail(context, teamMail(context, context.shop.id)),
    take: async (context) => [(await leaseTeamMail(context, leaseUntil(context)))?.shop_id],
  },
}

const teamMail = ({ now }: Context, shop_id: string | null) => ({
  id: newId(now),
  shop_id,
  person_id: null,
  kind: 'digest',
  sealed: Buffer.from('sealed'),
  created_at: now,
  due_at: now,
})

const setDeletion = ({ slug }: TestShop, isDeleted: boolean) =>
  sql`update shops set deleted_at = ${isDeleted ? service.context().now : null} where slug = ${slug}`.execute(
    service.database.db,
  )

const ways = {
  paused: {
    stop: (made: TestShop) => made.as('superadmin').post('/pause'),
    undo: (made: TestShop) => made.as('superadmin').delete('/pause'),
  },
  deleted: {
    stop: (made: TestShop) => setDeletion(made, true),
    undo: (made: TestShop) => setDeletion(made, false),
  },
}

async function openShop() {
  const made = await makeShop({}, service)
  const context = service.context()
  const shop = await findShopIdentity(context, made.slug)
  if (shop === undefined) throw new Error('the shop is gone')
  return { made, context: { ...context, shop } }
}

/** The same, some time later: writes that are gathered for a moment are due, and no lease has ended. */
const soon = (context: Context): Context => ({ ...context, now: after(context.now, 10_000) })

describe.each(Object.entries(ways))('shop that is %s', (_state, { stop, undo }) => {
  it.each(Object.entries(queues))('has its %s wait until it runs again', async (_name, { fill, take }) => {
    const { made, context } = await openShop()
    await fill(context)
    await stop(made)
    expect((await take(soon(context))).filter((shopId) => shopId === context.shop.id)).toEqual([])
    await undo(made)
    expect(await take(soon(context))).toContain(context.shop.id)
    await service.database.db.deleteFrom('shops').where('id', '=', context.shop.id).execute()
  })

  it('has no further batch of past orders written', async () => {
    const { made, context } = await openShop()
    await insertBackfill(context, { system: 'shopify', days: 30, since: after(context.now, -30 * dayMs) })
    const claim = await leaseBackfill(context, after(context.now, hourMs))
    if (claim === undefined) throw new Error('nothing is due')
    expect(await lockLeasedBackfill(context, claim)).toBe(true)
    await stop(made)
    expect(await lockLeasedBackfill(context, claim)).toBe(false)
    await service.database.db.deleteFrom('shops').where('id', '=', context.shop.id).execute()
  })
})

describe('message to the team', () => {
  it('that is about no shop waits for none', async () => {
    const { context } = await openShop()
    await insertTeamMail(context, teamMail(context, null))
    expect(await leaseTeamMail(soon(context), leaseUntil(context))).toMatchObject({ shop_id: null })
  })
})
