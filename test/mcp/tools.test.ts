import type { Client } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { basicOf, callTool, connectAgent } from '../harness/agents.ts'
import { createCampaign } from '../harness/campaigns.ts'
import { runJob, settle } from '../harness/deliveries.ts'
import type { MailServer } from '../harness/mail-server.ts'
import { makeMailShop } from '../harness/mail-shop.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

async function agentOf(made: TestShop): Promise<Client> {
  return connectAgent({ authorization: basicOf(await made.credentials('viewer')) })
}

/** An order of this moment with one parcel. */
async function send(shop: ShopCaller, fields: Record<string, unknown> = {}) {
  const number = uniqueNumber('AG')
  const order = await createOrder(shop, { order_placed_at: clock.now().toISOString(), ...fields }, [
    { tracking_number: number, carrier_reference: 'dhl' },
  ])
  return { number, order, id: order.trackings[0].uuid as string }
}

const report = (shop: ShopCaller, id: string, event_name: string) =>
  shop.post(`/shipments/${id}/events`, { event_name })

const notify = (shop: ShopCaller, id: string, event_name: string, fields: Record<string, unknown> = {}) =>
  shop.post(`/shipments/${id}/events?notify=true`, { event_name, ...fields })

afterAll(() => clock.reset())

describe('tools about an order', () => {
  let made: TestShop
  let shop: ShopCaller
  let sent: Awaited<ReturnType<typeof send>>

  beforeAll(async () => {
    made = await makeShop()
    shop = made.as('editor')
    sent = await send(shop, { email_id: 'ada@example.com' })
    await report(shop, sent.id, 'OUT_FOR_DELIVERY')
  })

  it.each(['order_number', 'email', 'tracking_number'])('where_is_order finds it by %s', async (field) => {
    const { order, number, id } = sent
    const given = { order_number: `#${order.order_number}`, email: 'ADA@example.com', tracking_number: number }[field]
    const { text, data } = await callTool(await agentOf(made), 'where_is_order', { [field]: given })
    expect(text).toContain('The parcel is out for delivery.')
    expect(data.orders).toMatchObject([
      {
        order_id: order.uuid,
        order_number: order.order_number,
        parcels: [{ shipment_id: id, tracking_number: number, carrier: 'DHL', phase: 'in_delivery' }],
      },
    ])
  })

  it('where_is_order says what to do if nothing is exactly that', async () => {
    const part = sent.number.slice(0, -1)
    const { data } = await callTool(await agentOf(made), 'where_is_order', { tracking_number: part })
    expect(data.orders).toEqual([])
    expect(data.explanation).toEqual([expect.stringContaining('Call search_orders')])
  })

  it('search_orders finds it by a part', async () => {
    const part = sent.number.slice(0, -1)
    const { data } = await callTool(await agentOf(made), 'search_orders', { text: part })
    expect(data.orders).toMatchObject([{ order_id: sent.order.uuid, matched: 'tracking_number', is_exact: false }])
  })

  it.each(['tracking_number', 'shipment_id', 'order_number'])('explain_parcel tells its story by %s', async (field) => {
    const { order, number: tracking_number, id: shipment_id } = sent
    const given = { tracking_number, shipment_id, order_number: order.order_number }[field]
    const { text, data } = await callTool(await agentOf(made), 'explain_parcel', { [field]: given })
    expect(text).toContain('out for delivery. The parcel is out for delivery.')
    expect(data).toMatchObject({ shipment_id, order_id: order.uuid, is_complete: true })
    expect(data.entries.map(({ kind }: { kind: string }) => kind)).toEqual(['order_placed', 'event', 'event', 'event'])
  })

  it('explain_parcel asks which one if the order has several', async () => {
    const order = await createOrder(shop, {}, [
      { tracking_number: uniqueNumber('AG') },
      { tracking_number: uniqueNumber('AG') },
    ])
    const { isError, text } = await callTool(await agentOf(made), 'explain_parcel', {
      order_number: order.order_number,
    })
    expect(isError).toBe(true)
    expect(text).toContain('shipment_required')
    for (const { uuid } of order.trackings) expect(text).toContain(uuid)
  })

  it('why_campaign names the one that is shown, and why the others are not', async () => {
    await createCampaign(shop, { name: 'Everybody', segment: 'default', enabled: true })
    await createCampaign(shop, { name: 'Only vip', segment: 'vip', enabled: true })
    await createCampaign(shop, { name: 'Off', segment: 'other', enabled: false })
    const { text, data } = await callTool(await agentOf(made), 'why_campaign', { order_id: sent.order.uuid })
    expect(data.campaign).toMatchObject({ name: 'Only vip', segment: 'vip' })
    expect(text).toContain('One campaign is shown')
    expect(text).toContain('Not shown, 1 campaign: Another one is for a segment of the order.')
    expect(data.reasons.filter(({ is_shown }: { is_shown: boolean }) => is_shown)).toHaveLength(1)
  })

  it('delivery_figures count what was delivered', async () => {
    const { id } = await send(shop)
    await report(shop, id, 'SUCCESSFULLY_DELIVERED')
    clock.advance(hourMs)
    await runJob('figures')
    const { data, text } = await callTool(await agentOf(made), 'delivery_figures', { group_by: 'country' })
    expect(text).toContain('1 parcel delivered')
    expect(data).toMatchObject({ total: { delivered: 1 }, rows: [{ country: 'DE', delivered: 1 }], is_complete: true })
  })

  it.each([
    ['two names of an order', 'where_is_order', { order_number: '1', email: 'ada@example.com' }, 'exactly one of'],
    ['no name of an order', 'why_messages', {}, 'exactly one of'],
    ['a field that there is not', 'search_orders', { text: 'a', everything: true }, 'everything'],
    ['a limit above the highest', 'list_exceptions', { limit: 51 }, 'limit'],
    ['what is not an id', 'why_campaign', { order_id: '../shops' }, 'order_id'],
    ['an order that there is not', 'why_campaign', { order_number: 'nope' }, 'order_not_found'],
    ['a period that is too long', 'delivery_figures', { from: '1999-01-01' }, 'invalid_payload'],
  ])('reject %s in words that help', async (_name, tool, given, words) => {
    const { isError, text } = await callTool(await agentOf(made), tool, given)
    expect(isError).toBe(true)
    expect(text).toContain(words)
  })
})

describe('list_exceptions', () => {
  it('has the parcels that need a person, with the reason', async () => {
    const made = await makeShop()
    const { id } = await send(made.as('editor'))
    await report(made.as('editor'), id, 'PARCEL_DISPATCHED')
    clock.advance(5 * dayMs)
    await runJob('exceptions')
    const agent = await agentOf(made)
    const { data, text } = await callTool(agent, 'list_exceptions')
    expect(text).toContain('1 parcel in all. Listed here: 1 stuck.')
    expect(data.parcels).toMatchObject([{ shipment_id: id, kind: 'stuck', state: 'open' }])
    expect((await callTool(agent, 'list_exceptions', { kind: 'lost' })).text).toContain('No parcel matches')
  })
})

describe('why_messages', () => {
  const servers: MailServer[] = []
  afterEach(() => clock.reset())
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  async function mailShop() {
    const { made, server } = await makeMailShop()
    servers.push(server)
    return { made, shop: made.as('admin'), server }
  }

  const explain = async (made: TestShop, orderId: string) =>
    callTool(await agentOf(made), 'why_messages', { order_id: orderId })

  it('says that nothing is switched on, and which events nobody was told', async () => {
    const made = await makeShop()
    const { order, id } = await send(made.as('editor'))
    await report(made.as('editor'), id, 'OUT_FOR_DELIVERY')
    const { text, data } = await explain(made, order.uuid)
    expect(text).toContain('No system that writes to customers is switched on now')
    expect(text).toContain(
      '1 event recorded without the wish to notify anybody (notify was not set): out for delivery.',
    )
    expect(data).toMatchObject({ receivers: [], messages: [], address: null })
  })

  it('explains the newest five parcels of an order that has more, and says that it is not all', async () => {
    const made = await makeShop()
    const shop = made.as('editor')
    const parcels = Array.from({ length: 6 }, () => ({ tracking_number: uniqueNumber('AG'), carrier_reference: 'dhl' }))
    const order = await createOrder(shop, { order_placed_at: clock.now().toISOString() }, parcels)
    const [oldest, newest] = [order.trackings.at(0), order.trackings.at(-1)]
    await report(shop, oldest.uuid, 'SUCCESSFULLY_DELIVERED')
    await report(shop, newest.uuid, 'OUT_FOR_DELIVERY')
    const { text, data } = await explain(made, order.uuid)
    expect(text).toContain('(notify was not set): out for delivery.')
    expect(data.is_complete).toBe(false)
  })

  it('tells accepted messages from events that came too late or were of a group already told', async () => {
    const { made, shop } = await mailShop()
    const { order, id } = await send(shop)
    await settle()
    clock.advance(11 * minuteMs)
    await notify(shop, id, 'OUT_FOR_DELIVERY')
    await settle()
    // Endpoints get every event, and do not hide that the customer was not written to.
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    await shop.post('/webhooks', { url: receiver.url, enabled_events: ['*'] })
    await notify(shop, id, 'OUT_FOR_DELIVERY', {
      event_time: new Date(clock.now().getTime() + hourMs).toISOString(),
    })
    await notify(shop, id, 'SUCCESSFULLY_DELIVERED', { event_time: '2024-01-01T00:00:00Z' })
    await settle()
    const { text, data } = await explain(made, order.uuid)
    expect(text).toMatch(/The mail server accepted \d e-mails?, the last about out for delivery/)
    expect(data.receivers).toMatchObject([{ receiver: 'smtp', has_credentials: true }])
    const reasons = data.silent_events.map((event: { event_name: string; reason: string }) => [
      event.event_name,
      event.reason,
    ])
    expect(reasons).toContainEqual(['OUT_FOR_DELIVERY', 'already_told'])
    expect(reasons).toContainEqual(['SUCCESSFULLY_DELIVERED', 'too_old'])
  })

  it('names an address that gets no e-mail, and the messages that were not sent for it', async () => {
    const { made, shop, server } = await mailShop()
    await shop.post('/mail/suppressions', { address: 'bounced@example.com' })
    const { order } = await send(shop, { email_id: 'Bounced@example.com' })
    await settle()
    const { text, data } = await explain(made, order.uuid)
    expect(text).toContain('the address gets no e-mail from us: a colleague stopped it.')
    expect(text).toContain('not needed by e-mail: the address bounced or complained before.')
    expect(data.address).toMatchObject({ reason: 'manual', gets_mail: false })
    expect(data.messages[0]).toMatchObject({ receiver: 'smtp', status: 'skipped' })
    expect(server.mails).toEqual([])
  })

  it('says that the order has no address, and that one waits for the morning', async () => {
    const { made, shop } = await mailShop()
    const silent = await send(shop, { email_id: null })
    expect((await explain(made, silent.order.uuid)).text).toContain('The order has no e-mail address')
    await shop.patch('/settings/mail', { quiet_hours: { enabled: true, from: '00:00', to: '23:59' } })
    const { order, id } = await send(shop)
    await settle()
    await notify(shop, id, 'PARCEL_DISPATCHED')
    await settle()
    const { text, data } = await explain(made, order.uuid)
    expect(text).toMatch(/One for e-mail about parcel dispatched waits until .*: quiet hours/)
    expect(data.messages.map(({ status }: { status: string }) => status)).toContain('pending')
  })
})
