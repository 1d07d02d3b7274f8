import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { claimsOf } from '../harness/claim-form.ts'
import { settle } from '../harness/deliveries.ts'
import type { MailServer } from '../harness/mail-server.ts'
import { makeMailShop } from '../harness/mail-shop.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { fieldsOf } from '../harness/page-form.ts'
import { sendOrder, visit } from '../harness/pages.ts'
import { clock, logLines } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'
import { enableWithdrawals, person, withdraw } from '../harness/withdrawals.ts'

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

async function parcel(shop: ShopCaller, fields: Record<string, unknown> = {}) {
  const number = uniqueNumber('M')
  const order = await createOrder(shop, { order_placed_at: undefined, ...fields }, [{ tracking_number: number }])
  await settle()
  return { number, order, id: order.trackings[0].id as string }
}

/** An event, later than what would be merged with the message before. */
async function scan(shop: ShopCaller, id: string, event_name: string): Promise<void> {
  clock.advance(11 * minuteMs)
  const { status } = await shop.post(`/shipments/${id}/events?notify=true`, { event_name })
  expect(status).toBe(200)
  await settle()
}

interface LoggedDelivery {
  uuid: string
  integration: string
  event_name: string
  status: string
  attempt_count: number
  attempts: { status_code: number | null; answer: string | null; error: string | null; reason: string | null }[]
}

async function deliveriesOf(shop: ShopCaller, shipmentId: string): Promise<LoggedDelivery[]> {
  const { body } = await shop.get(`/shipments/${shipmentId}/timeline`)
  return body.events.flatMap((event: { notifications: { deliveries: LoggedDelivery[] }[] }) =>
    event.notifications.flatMap((notification) => notification.deliveries),
  )
}

describe('a shop that has SMTP and nothing else', () => {
  it('sends its customer a message at every stage, from order to delivery, and says so', async () => {
    const { shop, server } = await mailShop()
    const { order, id } = await parcel(shop)
    const journey = [
      'PARCEL_DISPATCHED',
      // The same group as before: one message per group and parcel.
      'ARRIVED_AT_SORTING_CENTER',
      'OUT_FOR_DELIVERY',
      'SUCCESSFULLY_DELIVERED',
    ]
    for (const name of journey) await scan(shop, id, name)
    await server.until(4)
    expect(server.mails).toHaveLength(4)

    const ids = server.mails.map(({ messageId }) => messageId)
    expect(new Set(ids).size).toBe(4)
    for (const mail of server.mails) {
      expect(mail.envelope).toEqual({ from: 'orders@river-and-pine.example', to: [order.email_id] })
      expect(mail.from?.text).toBe('"River & Pine" <orders@river-and-pine.example>')
      expect(mail.replyTo?.text).toBe('help@river-and-pine.example')
      expect(mail.to).toMatchObject({ value: [{ name: 'Ada Example', address: order.email_id }] })
      expect(mail.subject).toBeTruthy()
      expect(mail.text).toBeTruthy()
      expect(mail.html).toBeTruthy()
      expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
    }

    const deliveries = await deliveriesOf(shop, id)
    expect(deliveries).toHaveLength(4)
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ integration: 'smtp', status: 'delivered', attempts: [{ status_code: 250 }] })
      expect(ids).toContain(`<${delivery.uuid}@river-and-pine.example>`)
    }
    const { body: log } = await shop.get('/deliveries', { integration: 'smtp' })
    expect(log.items ?? log).toHaveLength(4)
    const { body: order_ } = await shop.get(`/orders/${order.uuid}/timeline`)
    expect(JSON.stringify(order_)).toContain('smtp')
    const { body: listed } = await shop.get('/integrations')
    expect(listed.integrations.at(-1)).toMatchObject({ integration: 'smtp', is_on: true, has_credentials: true })
    expect(logLines.join('\n')).not.toContain(order.email_id)
  })

  it('sends nothing before it is switched on, and nothing to a customer without an address', async () => {
    const { shop, server } = await mailShop()
    await shop.patch('/settings/triggers/smtp', { status: false })
    const { id } = await parcel(shop)
    expect(await deliveriesOf(shop, id)).toEqual([])
    await shop.patch('/settings/triggers/smtp', { status: true })
    const { id: second } = await parcel(shop, { email_id: null })
    expect(await deliveriesOf(shop, second)).toMatchObject([
      { status: 'skipped', attempts: [{ error: 'the customer has no e-mail address' }] },
    ])
    expect(server.mails).toHaveLength(0)
  })

  it('without an account fails with a clear reason', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.patch('/settings/triggers/smtp', { status: true })
    const { id } = await parcel(shop)
    expect(await deliveriesOf(shop, id)).toMatchObject([
      {
        integration: 'smtp',
        status: 'dead',
        attempts: [{ error: 'no credentials are set for smtp', reason: 'no_credentials' }],
      },
    ])
  })

  it('tells its customers of claims too', async () => {
    const { shop, server } = await mailShop()
    const { order, id } = await parcel(shop)
    clock.advance(11 * minuteMs)
    const { status } = await shop.post('/claims', {
      order_id: order.uuid,
      shipment_id: id,
      reason: 'damage',
      resolution_preference: 'refund',
      description: 'It is broken.',
    })
    expect(status).toBe(200)
    await settle()
    await server.until(2)
    expect(server.mails.at(-1)?.envelope.to).toEqual([order.email_id])
  })

  it('sends a message that an automation asks for', async () => {
    const { shop, server } = await mailShop()
    await shop.patch('/settings/triggers/smtp', { status: false })
    const { status, text } = await shop.post('/automations', {
      name: 'Write to the customer',
      trigger: { events: ['shipments/in_delivery'] },
      conditions: [],
      actions: [{ type: 'notify', integration: 'smtp' }],
      enabled: true,
    })
    expect(status, text).toBe(200)
    const { id, order } = await parcel(shop)
    await scan(shop, id, 'OUT_FOR_DELIVERY')
    await settle()
    await server.until(1)
    expect(server.mails[0]?.envelope.to).toEqual([order.email_id])
  })
})

describe('a mail server', () => {
  it('that says "later" is tried again, with the same message', async () => {
    const { shop, server } = await mailShop()
    const raws: string[] = []
    server.reject = ({ raw }) => {
      raws.push(raw)
      return { code: 451, message: 'greylisted, ada@example.com' }
    }
    const { id, order } = await parcel(shop)
    const [waiting] = await deliveriesOf(shop, id)
    expect(waiting).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: 451, error: 'busy', reason: 'rate_limited' }],
    })
    expect(waiting?.attempts[0]?.answer).toContain('greylisted, a…@example.com')
    server.reject = () => undefined
    clock.advance(6_000)
    await settle()
    expect(await deliveriesOf(shop, id)).toMatchObject([{ status: 'delivered', attempt_count: 2 }])
    expect(server.mails).toHaveLength(1)
    const [mail] = server.mails
    expect(raws[0]).toContain(`Message-ID: ${mail?.messageId}`)
    expect(mail?.envelope.to).toEqual([order.email_id])
  })

  it('that says "never" gets it no more: a dead letter, which can be sent again', async () => {
    const { shop, server } = await mailShop()
    server.reject = () => ({ code: 554, message: 'looks like spam' })
    const { id } = await parcel(shop)
    const [dead] = await deliveriesOf(shop, id)
    expect(dead).toMatchObject({
      status: 'dead',
      attempt_count: 1,
      attempts: [{ status_code: 554, error: 'message_rejected', reason: 'rejected' }],
    })
    server.reject = () => undefined
    clock.advance(60 * minuteMs)
    await settle()
    expect(server.mails).toHaveLength(0)
    expect((await shop.post(`/deliveries/${dead?.uuid}/resend`)).status).toBe(200)
    await settle()
    await server.until(1)
    expect(server.mails[0]?.messageId).toBe(`<${dead?.uuid}@river-and-pine.example>`)
    const { body } = await shop.get('/attention')
    expect(body.integrations.filter(({ integration }: { integration: string }) => integration === 'smtp')).toEqual([])
  })

  it('that rejects the credentials is not asked again, and needs attention', async () => {
    const { shop, server } = await mailShop()
    const { body } = await shop.get('/keys')
    await shop.put('/keys/smtp', { ...body.smtp, username: 'doorstep', password: 'wrong' })
    const { id } = await parcel(shop)
    expect(await deliveriesOf(shop, id)).toMatchObject([
      { status: 'dead', attempts: [{ status_code: 535, error: 'unauthorised', reason: 'unauthorized' }] },
    ])
    expect(server.mails).toHaveLength(0)
    const attention = (await shop.get('/attention')).body.integrations
    expect(attention).toMatchObject([{ integration: 'smtp', undelivered: 1 }])
  })

  it('that is away is tried again', async () => {
    const { shop, server } = await mailShop()
    await server.close()
    const { id } = await parcel(shop)
    expect(await deliveriesOf(shop, id)).toMatchObject([
      { status: 'pending', attempts: [{ status_code: null, reason: 'refused' }] },
    ])
  })
})

describe('a customer who was erased', () => {
  it('gets no message that was still waiting', async () => {
    const { made, shop, server } = await mailShop()
    server.reject = () => ({ code: 451, message: 'later' })
    const { id, order } = await parcel(shop)
    const erased = await made.as('admin').post('/privacy/erase', { email: order.email_id })
    expect(erased.status, erased.text).toBe(200)
    server.reject = () => undefined
    clock.advance(60 * minuteMs)
    await settle()
    expect(server.mails).toHaveLength(0)
    expect(await deliveriesOf(shop, id)).toMatchObject([{ status: 'skipped' }])
  })
})

describe('receipt of a withdrawal', () => {
  it('is one message with the statement, the exact time and the reference of its page, at night and with messages off', async () => {
    const { made, shop, server } = await mailShop()
    await shop.patch('/settings/triggers/smtp', { status: false })
    await shop.patch('/settings/mail', { quiet_hours: { enabled: true, from: '00:00', to: '23:59' } })
    await enableWithdrawals(made)
    const { order, path } = await sendOrder(made, { email_id: person.email })
    await settle()
    expect((await withdraw(path)).status).toBe(303)
    await settle()
    await server.until(1)
    expect(server.mails).toHaveLength(1)
    const [claim] = await claimsOf(made, order.uuid)
    const [mail] = server.mails
    expect(mail?.envelope.to).toEqual([person.email])
    for (const part of [mail?.text ?? '', String(mail?.html)]) {
      expect(part).toContain('I withdraw from the contract')
      expect(part).toContain(claim?.uuid)
      expect(part).toMatch(/\d{1,2}:\d{2}:\d{2}/)
    }
  })

  /** Withdraws one of several pieces, so that there can be another statement. */
  async function withdrawOne(path: string, changes: Record<string, string>): Promise<string> {
    const form = await visit(`${path}/withdrawal`)
    const item = fieldsOf(form.text).find(({ name }) => name.startsWith('item-'))?.name ?? ''
    const { status, headers } = await withdraw(path, { scope: 'some', [item]: '1', ...changes })
    expect(status).toBe(303)
    await settle()
    return (await visit(String(headers.location))).text
  }

  async function withdrawableOrder(made: TestShop) {
    const sent = await sendOrder(made, { products: [{ title: 'Mug', sku: 'MUG', quantity: 9 }] })
    await settle()
    return sent
  }

  it("goes to another address than the order's twice, each time with a copy to the order's own", async () => {
    const { made, shop, server } = await mailShop()
    await shop.patch('/settings/triggers/smtp', { status: false })
    await enableWithdrawals(made)
    const { order, path } = await withdrawableOrder(made)
    const pages: string[] = []
    for (const n of [1, 2, 3])
      pages.push(await withdrawOne(path, { name: 'Grace Stranger', email: `stranger-${n}@example.net` }))
    expect(server.mails.flatMap(({ envelope }) => envelope.to)).toEqual([
      'stranger-1@example.net',
      order.email_id,
      'stranger-2@example.net',
      order.email_id,
      order.email_id,
    ])
    expect(pages.map((page) => page.includes('We are also sending this acknowledgement'))).toEqual([true, true, false])
    expect(await claimsOf(made, order.uuid)).toHaveLength(3)
    const [toStranger, copy] = server.mails
    expect(toStranger?.text).not.toContain(person.name)
    expect(copy?.text).toContain('stranger-1@example.net')
  })

  it('goes to one mailbox three times a day from all orders, and always to the address of the order', async () => {
    const { made, shop, server } = await mailShop()
    await shop.patch('/settings/triggers/smtp', { status: false })
    await enableWithdrawals(made)
    const owned = await withdrawableOrder(made)
    for (const n of [1, 2, 3, 4]) {
      const { path } = await withdrawableOrder(made)
      await withdrawOne(path, { email: `Victim${n === 2 ? '' : `+${n}`}@Example.net` })
    }
    const toVictim = () => server.mails.filter(({ envelope }) => /victim/i.test(String(envelope.to)))
    expect(toVictim()).toHaveLength(3)
    for (const _ of [1, 2, 3, 4]) await withdrawOne(owned.path, { email: owned.order.email_id.toUpperCase() })
    expect(
      server.mails.filter(({ envelope }) => String(envelope.to).toLowerCase() === owned.order.email_id),
    ).toHaveLength(4)
    clock.advance(dayMs + minuteMs)
    const { path } = await withdrawableOrder(made)
    await withdrawOne(path, { email: 'victim@example.net' })
    expect(toVictim()).toHaveLength(4)
  })

  it('has no name in its headers that leads somewhere', async () => {
    const { made, shop, server } = await mailShop()
    await shop.patch('/settings/triggers/smtp', { status: false })
    await enableWithdrawals(made)
    const { path } = await withdrawableOrder(made)
    await withdrawOne(path, { name: 'Win at evil.example', email: 'stranger@example.net' })
    await withdrawOne(path, { name: 'Ada Example', email: 'stranger@example.net' })
    const headers = server.mails.filter(({ envelope }) => String(envelope.to) === 'stranger@example.net')
    expect(headers.map(({ raw }) => /^To: (.*)\r$/m.exec(raw)?.[1])).toEqual([
      'stranger@example.net',
      'Ada Example <stranger@example.net>',
    ])
  })
})
