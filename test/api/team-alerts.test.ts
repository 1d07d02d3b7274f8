import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaseTeamMail } from '../../src/messages/team-mail/outbox-store.ts'
import { sendAlerts } from '../../src/messages/team-reports/alerts.ts'
import { listNewFailures } from '../../src/messages/team-reports/incident-store.ts'
import { after, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { findShopIdentity } from '../../src/shops/shops/store.ts'
import { makeMember } from '../harness/people.ts'
import { expectNoScan, explain, indexesOf } from '../harness/plans.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { type Office, openOffice } from '../harness/team-mail.ts'

let office: Office
beforeAll(async () => {
  office = await openOffice()
})
afterAll(async () => {
  clock.reset()
  await office.close()
})

const db = () => office.service.database.db
const alert = () => sendAlerts(office.service.context())

async function open() {
  const shop = await makeShop({ name: 'River & Pine' }, office.service)
  const identity = await findShopIdentity(office.service.context(), shop.slug)
  const admin = await makeMember([{ shop_slug: shop.slug, role: 'admin' }], office.service)
  return { shop, id: identity?.id ?? '', admin, inbox: () => alertsTo(admin.email) }
}

/** The mails that have arrived, without the invitation. */
async function alertsTo(email: string) {
  return (await office.inbox(email)).filter(({ subject }) => !subject?.startsWith('Your access'))
}

async function makeEndpoint(shop: TestShop, host: string): Promise<string> {
  const url = `https://${host}/hooks/secret-path`
  const { body } = await shop.as('admin').post('/webhooks', { url, enabled_events: ['*'] })
  return body.uuid
}

/** As after attempts that failed since then; null: after one that succeeded. */
async function setHealth(shopId: string, target: string, since: Date | null): Promise<void> {
  await sql`
    insert into receiver_health (shop_id, target, failing_since, consecutive_failures, last_failure_status)
    values (${shopId}, ${target}, ${since}, 3, 503)
    on conflict (shop_id, target) do update set failing_since = excluded.failing_since`.execute(db())
}

async function setProvider(shopId: string, provider: string, since: Date | null, status = 401): Promise<void> {
  await sql`
    insert into provider_accounts (shop_id, provider, next_free_at, failing_since, last_failure_status)
    values (${shopId}, ${provider}, ${clock.now()}, ${since}, ${status})
    on conflict (shop_id, provider) do update set failing_since = excluded.failing_since`.execute(db())
}

const ago = (ms: number) => after(clock.now(), -ms)

describe('alert', () => {
  it('tells admins of an endpoint that has failed for an hour, once, and when it works again', async () => {
    const { shop, id, inbox } = await open()
    const endpoint = await makeEndpoint(shop, 'hooks.example')
    await setHealth(id, endpoint, ago(59 * minuteMs))
    await alert()
    expect(await inbox()).toEqual([])
    clock.advance(2 * minuteMs)
    for (let time = 0; time < 3; time += 1) await alert()
    const [failing, ...others] = await inbox()
    expect(others).toEqual([])
    expect(failing?.subject).toBe('River & Pine: Webhook endpoint hooks.example is failing')
    expect(failing?.text).toMatch(/Failing since .*\. Last response: 503/)
    expect(failing?.text).toContain(`/dashboard/${shop.slug}/messages/webhooks/${endpoint}`)
    expect(failing?.html).not.toContain('secret-path')

    await setHealth(id, endpoint, null)
    for (let time = 0; time < 3; time += 1) await alert()
    const [, clear, ...more] = await inbox()
    expect(more).toEqual([])
    expect(clear?.subject).toBe('River & Pine: Webhook endpoint hooks.example works again')
    await setHealth(id, endpoint, ago(2 * hourMs))
    await alert()
    expect(await inbox()).toHaveLength(3)
  })

  it('lists everything of a shop in one message', async () => {
    const { shop, id, inbox } = await open()
    await setHealth(id, await makeEndpoint(shop, 'one.example'), ago(2 * hourMs))
    await setHealth(id, await makeEndpoint(shop, 'two.example'), ago(2 * hourMs))
    await sql`
      insert into trigger_settings (shop_id, integration, status, trigger_delivered_all_events, stale_event_threshold, segments_enabled)
      values (${id}, 'klaviyo', true, false, 0, false)
      on conflict (shop_id, integration) do update set status = true`.execute(db())
    await setHealth(id, 'klaviyo', ago(2 * hourMs))
    await setProvider(id, 'dhl', ago(20 * minuteMs))
    await alert()
    const [mail, ...others] = await inbox()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('River & Pine: 4 connections are failing')
    for (const name of ['one.example', 'two.example', 'Klaviyo', 'Tracking provider DHL']) {
      expect(mail?.text).toContain(name)
    }
  })

  it('is not about what is switched off, deleted, or only limited in its pace', async () => {
    const { shop, id, inbox } = await open()
    const [off, deleted] = [await makeEndpoint(shop, 'off.example'), await makeEndpoint(shop, 'gone.example')]
    await shop.as('admin').patch(`/webhooks/${off}`, { status: 'inactive' })
    await setHealth(id, off, ago(2 * hourMs))
    await setHealth(id, 'braze', ago(2 * hourMs))
    await setProvider(id, 'ups', ago(2 * hourMs), 429)
    await alert()
    expect(await inbox()).toEqual([])
    await setHealth(id, deleted, ago(2 * hourMs))
    await alert()
    await shop.as('admin').delete(`/webhooks/${deleted}`)
    await alert()
    // No all-clear: it did not recover.
    expect(await inbox()).toHaveLength(1)
    const { rows } = await sql`select 1 from team_incidents where shop_id = ${id}`.execute(db())
    expect(rows).toEqual([])
  })

  it('is sent to those who want it, and names addresses of webhooks to admins only', async () => {
    const { shop, id, admin, inbox } = await open()
    const path = `/v1/shops/${shop.slug}/team-mail`
    await admin.browser.call('PATCH', path, { alerts: false })
    const [viewer, other] = [
      await makeMember([{ shop_slug: shop.slug, role: 'viewer' }], office.service),
      await makeMember([{ shop_slug: shop.slug, role: 'viewer' }], office.service),
    ]
    await viewer.browser.call('PATCH', path, { alerts: true, language: 'de' })
    const email = `desk-${shop.slug}@shop.example`
    const addresses = [{ email, digest: 'off', alerts: true, language: null }]
    await shop.as('admin').patch('/settings/team-mail', { addresses })
    await setHealth(id, await makeEndpoint(shop, 'hidden.example'), ago(2 * hourMs))
    await Promise.all([alert(), alert(), alert()])
    expect([...(await inbox()), ...(await alertsTo(other.email))]).toEqual([])
    const [toViewer, ...others] = await alertsTo(viewer.email)
    expect(others).toEqual([])
    expect(toViewer?.subject).toBe('River & Pine: Webhook-Endpunkt ist gestört')
    expect(toViewer?.html).not.toContain('hidden.example')
    expect((await alertsTo(email)).map(({ subject }) => subject)).toEqual([
      'River & Pine: Webhook endpoint hidden.example is failing',
    ])
  })
})

describe('queries of messages to the team', () => {
  it('read what fails and what is due, whatever else there is', async () => {
    const { shop, id } = await open()
    await sql`
      insert into receiver_health (shop_id, target, failing_since, consecutive_failures)
      select ${id}, 'none-' || number, null, 0 from generate_series(1, 5000) as number`.execute(db())
    await sql`
      insert into team_mails (id, shop_id, kind, sealed, created_at, due_at)
      select gen_random_uuid(), ${id}, 'alert', 'x', ${clock.now()}, ${after(clock.now(), hourMs)}
      from generate_series(1, 5000)`.execute(db())
    await sql`analyze receiver_health, team_mails`.execute(db())
    const base = office.service.context()
    const identity = await findShopIdentity(base, shop.slug)
    if (identity === undefined) throw new Error('the shop exists')
    const context: ShopContext = { ...base, shop: identity }
    const before = ago(hourMs)
    const [failures] = await explain(context, (context) =>
      listNewFailures(context, { receiver: before, provider: before }, 500),
    )
    expect(indexesOf(failures)).toContain('receiver_health_failing')
    const [claimed] = await explain(context, (context) => leaseTeamMail(context, after(context.now, hourMs)))
    expect(indexesOf(claimed)).toContain('team_mails_due')
    expectNoScan(claimed)
  })
})
