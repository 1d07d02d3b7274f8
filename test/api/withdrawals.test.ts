import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { findOrderToWithdraw } from '../../src/claims/withdrawals/find.ts'
import { stateWithdrawal } from '../../src/claims/withdrawals/statement.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import { claimsOf } from '../harness/claim-form.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder } from '../harness/orders.ts'
import { sendOrder } from '../harness/pages.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { enableWithdrawals, moveTo, person, scan, sendDelivered, withdraw } from '../harness/withdrawals.ts'

const receiver = await startReceiver()
afterAll(() => receiver.close())
afterEach(() => clock.reset())

const deliveredAt = '2026-11-10T10:00:00Z'

describe('withdrawal settings', () => {
  const defaults = { enabled: false, period_days: 14, country: null, exempt_categories: [], instructions: {} }

  it('are off at first, and change field by field', async () => {
    const shop = await makeShop()
    expect((await shop.as('viewer').get('/settings/withdrawal')).body).toEqual(defaults)
    const admin = shop.as('admin')
    const changed = await admin.patch('/settings/withdrawal', {
      enabled: true,
      exempt_categories: [' Food ', 'Food', ' '],
      instructions: { de: 'An die Mühlgasse.' },
    })
    const expected = {
      ...defaults,
      enabled: true,
      exempt_categories: ['Food'],
      instructions: { de: 'An die Mühlgasse.' },
    }
    expect(changed).toMatchObject({ status: 200, body: expected })
    await admin.patch('/settings/withdrawal', { period_days: 30, country: 'FR' })
    expect((await shop.as('viewer').get('/settings/withdrawal')).body).toEqual({
      ...expected,
      period_days: 30,
      country: 'FR',
    })
  })

  it.each([
    [{ period_days: 13 }, 'period_days'],
    [{ period_days: 14.5 }, 'period_days'],
    [{ country: 'XX' }, 'country'],
    [{ exempt_categories: 'Food' }, 'exempt_categories'],
    [{ instructions: { de: 7 } }, 'instructions'],
    [{ enabled: 'perhaps' }, 'enabled'],
  ])('reject %o', async (body, field) => {
    const shop = await makeShop()
    const { status, text } = await shop.as('admin').patch('/settings/withdrawal', body)
    expect(status).toBe(422)
    expect(text).toContain(field)
  })

  it('are changed by admins only, and recorded', async () => {
    const shop = await makeShop()
    expect((await shop.as('editor').patch('/settings/withdrawal', { enabled: true })).status).toBe(403)
    await enableWithdrawals(shop)
    const { body } = await shop.as('admin').get('/audit-log')
    expect(JSON.stringify(body)).toContain('updateWithdrawalSettings')
  })
})

describe('withdrawal period of an order', () => {
  const periodOf = async (shop: TestShop, orderId: string) =>
    (await shop.as('viewer').get(`/orders/${orderId}/withdrawal`)).body

  it('starts with the last parcel, and ends on a working day', async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop)
    const { order } = await sendDelivered(shop, [deliveredAt, '2026-11-14T10:00:00Z'])
    moveTo('2026-11-20T10:00:00Z')
    expect(await periodOf(shop, order.uuid)).toEqual({
      is_enabled: true,
      state: 'running',
      is_open: true,
      reached_on: '2026-11-14',
      last_day: '2026-11-30',
      ends_at: '2026-11-30T22:59:59.999Z',
      period_days: 14,
      country: 'DE',
      time_zone: 'Europe/Berlin',
      exempt_items: 0,
      withdrawals: [],
    })
    moveTo('2026-11-30T23:00:01Z')
    expect(await periodOf(shop, order.uuid)).toMatchObject({ state: 'ended', is_open: false })
  })

  it('is not known while a parcel is missing', async () => {
    const shop = await makeShop()
    const { order, trackingNumbers } = await sendOrder(shop, {}, [{}, {}])
    await scan(shop, trackingNumbers[0] ?? '', 'SUCCESSFULLY_DELIVERED', deliveredAt)
    expect(await periodOf(shop, order.uuid)).toMatchObject({
      is_enabled: false,
      state: 'not_started',
      is_open: true,
      reached_on: null,
      last_day: null,
    })
  })

  it('starts when a parcel was taken from a pick-up point', async () => {
    const shop = await makeShop()
    const { order, trackingNumbers } = await sendOrder(shop)
    const [parcel = ''] = trackingNumbers
    await scan(shop, parcel, 'ARRIVED_AT_PARCEL_SHOP', '2026-11-09T10:00:00Z')
    expect(await periodOf(shop, order.uuid)).toMatchObject({ reached_on: null })
    // Some carriers call a parcel delivered when it lies there.
    await scan(shop, parcel, 'SUCCESSFULLY_DELIVERED', '2026-11-09T10:05:00Z')
    await scan(shop, parcel, 'SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP', '2026-11-12T10:00:00Z')
    expect(await periodOf(shop, order.uuid)).toMatchObject({ reached_on: '2026-11-12', last_day: '2026-11-26' })
  })

  it("follows the shop's period, country and closed days", async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop, { period_days: 30, country: 'AT' })
    const { order } = await sendDelivered(shop, [deliveredAt])
    expect(await periodOf(shop, order.uuid)).toMatchObject({ last_day: '2026-12-10', time_zone: 'Europe/Vienna' })
    await shop.as('admin').put('/settings/calendar', {
      weekend: [7],
      closed_days: [{ date: '2026-12-10', name: 'Stocktaking' }],
      open_days: [],
    })
    expect(await periodOf(shop, order.uuid)).toMatchObject({ last_day: '2026-12-11' })
  })

  it('is not told to strangers', async () => {
    const shop = await makeShop()
    const other = await makeShop()
    const { uuid } = await createOrder(shop.as('editor'))
    expect((await other.as('viewer').get(`/orders/${uuid}/withdrawal`)).status).toBe(404)
  })
})

describe('withdrawal', () => {
  it('is a claim of its own kind, with the statement', async () => {
    const shop = await makeShop({ name: 'River & Pine' })
    await enableWithdrawals(shop)
    const { order, path } = await sendDelivered(shop, [deliveredAt])
    moveTo('2026-11-12T10:00:00Z')
    await withdraw(path)
    const [claim] = await claimsOf(shop, order.uuid)
    expect(claim).toMatchObject({
      kind: 'withdrawal',
      reason: 'return',
      resolution_preference: 'refund',
      status: 'pending',
      description: null,
      shipment_id: order.trackings[0].uuid,
      selected_items: [{ title: 'Rain jacket' }, { title: 'Socks', quantity: 2 }],
      withdrawal: {
        name: person.name,
        contact_email: person.email,
        stated_at: claim.created_at,
        time_zone: 'Europe/Berlin',
        last_day: '2026-11-24',
        is_late: false,
        is_whole_order: true,
        language: 'en',
        text: `I withdraw from the contract about order ${order.order_name} of 1 November 2026 with River & Pine.`,
      },
    })
    expect((await shop.as('viewer').get(`/orders/${order.uuid}/withdrawal`)).body.withdrawals).toEqual([
      { uuid: claim.uuid, status: 'pending', stated_at: claim.created_at, is_late: false, is_whole_order: true },
    ])
  })

  it('names the newest shipment, draft or not', async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop)
    const { order, path } = await sendOrder(shop, { expected_number_of_shipments: 2 })
    await withdraw(path)
    const newest = order.trackings.at(-1).uuid
    expect(await claimsOf(shop, order.uuid)).toMatchObject([{ shipment_id: newest }])
  })

  it('is published as claims/created, once', async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop)
    await shop.as('admin').post('/webhooks', { url: `${receiver.url}/${shop.slug}`, enabled_events: ['claims'] })
    const { path } = await sendOrder(shop)
    await withdraw(path)
    await settle()
    const received = receiver.received.filter(({ path }) => path === `/${shop.slug}`)
    expect(received).toHaveLength(1)
    expect(received[0]?.body).toMatchObject({
      ref: 'claims/created',
      event_group: 'claim_created',
      event_data: { kind: 'withdrawal', withdrawal: { name: person.name, is_late: false } },
    })
  })

  it('is decided as a claim is', async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop)
    const { order, path } = await sendOrder(shop)
    await withdraw(path)
    const [{ uuid }] = await claimsOf(shop, order.uuid)
    const { body } = await shop.as('editor').put(`/claims/${uuid}`, { status: 'accepted', reply: 'Thank you.' })
    expect(body).toMatchObject({ kind: 'withdrawal', status: 'accepted', withdrawal: { name: person.name } })
  })
})

describe('lists', () => {
  it('of withdrawals are filtered by status, lateness and text; claims by kind', async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop)
    const early = await sendDelivered(shop, [deliveredAt])
    const late = await sendDelivered(shop, ['2026-10-05T10:00:00Z'])
    const plain = await sendDelivered(shop, [deliveredAt])
    moveTo('2026-11-12T10:00:00Z')
    await withdraw(early.path)
    await withdraw(late.path)
    await shop.as('editor').post('/claims', { tracking_number: plain.trackingNumbers[0], reason: 'return' })
    const [lateClaim] = await claimsOf(shop, late.order.uuid)
    await shop.as('editor').put(`/claims/${lateClaim.uuid}`, { status: 'closed' })
    const viewer = shop.as('viewer')
    const numbersOf = async (query: Record<string, string>, path = '/withdrawals', field = 'withdrawals') =>
      (await viewer.get(path, query)).body[field].map((claim: { order_number: string }) => claim.order_number)
    const [one, two, three] = [early, late, plain].map(({ order }) => order.order_number)
    expect(await numbersOf({})).toEqual([two, one])
    expect(await numbersOf({ late: 'true' })).toEqual([two])
    expect(await numbersOf({ late: 'false' })).toEqual([one])
    expect(await numbersOf({ status: 'closed' })).toEqual([two])
    expect(await numbersOf({ status: 'pending', late: 'true' })).toEqual([])
    expect(await numbersOf({ q: one })).toEqual([one])
    expect(await numbersOf({ q: 'nobody' })).toEqual([])
    expect(await numbersOf({ per_page: '1', page: '2' })).toEqual([one])
    expect(await numbersOf({ kind: 'withdrawal' }, '/claims', 'claims')).toEqual([two, one])
    expect(await numbersOf({ kind: 'claim' }, '/claims', 'claims')).toEqual([three])
    expect(await numbersOf({ kind: 'withdrawal', status: 'pending' }, '/claims', 'claims')).toEqual([one])
    const { headers } = await viewer.get('/withdrawals', { per_page: '1' })
    expect(headers['x-total-count']).toBe('2')
    expect((await viewer.get('/withdrawals', { status: 'lost' })).status).toBe(422)
  })
})

describe('receipt by mail', () => {
  const account = {
    host: '127.0.0.1',
    port: 1,
    security: 'none' as const,
    username: null,
    password: null,
    fromName: 'Shop',
    fromAddress: 'shop@example.com',
    replyTo: null,
  }

  it('is enqueued with the withdrawal if there is an account, to the address that was given', async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop)
    const { order } = await sendOrder(shop, { email_id: person.email })
    const context = await contextOf(shop)
    const services = { ...context.services, defaultMailAccount: account }
    const statement = {
      id: newId(context.now),
      orderId: order.uuid,
      ...person,
      language: 'en' as const,
      items: [],
      text: 'I withdraw.',
    }
    expect(await stateWithdrawal({ ...context, services }, statement)).toBe('changed')
    const items = await itemsOf(context, order.uuid)
    expect(await stateWithdrawal({ ...context, services }, { ...statement, items })).toBe('stated')
    expect(await stateWithdrawal({ ...context, services }, { ...statement, items })).toBe('stated_before')
    const { rows } = await sql<{ event_group: string; payload: { context: { customer: { email: string } } } }>`
      select deliveries.event_group, notifications.body::jsonb as payload
      from deliveries join notifications on notifications.shop_id = deliveries.shop_id
        and notifications.id = deliveries.notification_id
      where deliveries.shop_id = ${context.shop.id} and deliveries.target = 'smtp'`.execute(context.db)
    expect(rows).toMatchObject([
      {
        event_group: 'withdrawal_received',
        payload: {
          context: { customer: { email: person.email } },
          event_data: { withdrawal: { text: 'I withdraw.' } },
        },
      },
    ])
  })

  it('is not enqueued without one', async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop)
    const { path } = await sendOrder(shop)
    await withdraw(path)
    const { db, shop: stored } = await contextOf(shop)
    const { rows } = await sql`
      select 1 from deliveries where shop_id = ${stored.id} and target = 'smtp'`.execute(db)
    expect(rows).toEqual([])
  })
})

describe('privacy', () => {
  it('exports the statement, and erases who made it', async () => {
    const shop = await makeShop()
    await enableWithdrawals(shop)
    // Somebody is notified, so that there is a payload with the statement, too.
    await shop.as('admin').post('/webhooks', { url: `${receiver.url}/erased` })
    const { order, path } = await sendOrder(shop)
    const { headers } = await withdraw(path)
    const exported = await shop.as('admin').post('/privacy/export', { email: order.email_id })
    expect(exported.text).toContain('I withdraw from the contract')
    await shop.as('admin').post('/privacy/erase', { email: order.email_id })
    expect(await claimsOf(shop, order.uuid)).toMatchObject([
      { kind: 'withdrawal', withdrawal: { name: null, contact_email: null, text: null, is_whole_order: true } },
    ])
    const { db, shop: stored } = await contextOf(shop)
    const { rows } = await sql`
      select 1 from claims where shop_id = ${stored.id} and claims::text like ${`%${person.email}%`}`.execute(db)
    expect(rows).toEqual([])
    const { rows: payloads } = await sql<{ body: string }>`
      select body from notifications where shop_id = ${stored.id} and ref like 'claims/%'`.execute(db)
    expect(payloads.map(({ body }) => JSON.parse(body).event_data.withdrawal)).toMatchObject([
      { name: null, text: null },
    ])
    expect(payloads.filter(({ body }) => body.includes(person.email))).toEqual([])
    expect(headers.location).toBeDefined()
  })
})

async function contextOf(shop: TestShop): Promise<ShopContext> {
  const service = await theService()
  const context = service.context()
  const stored = await context.db
    .selectFrom('shops')
    .where('slug', '=', shop.slug)
    .selectAll()
    .executeTakeFirstOrThrow()
  return { ...context, shop: stored }
}

async function itemsOf(context: ShopContext, orderId: string) {
  const found = await findOrderToWithdraw(context, orderId)
  return (found?.items ?? []).map(({ key, remaining }) => ({ key, quantity: remaining }))
}
