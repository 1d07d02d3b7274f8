import { createHmac } from 'node:crypto'
import { createServer } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const receivers: Receiver[] = []
afterEach(() => clock.reset())
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

async function openReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

async function listen(shop: ShopCaller, url: string) {
  return (await shop.post('/webhooks', { url, enabled_events: ['shipments/delivered'] })).body
}

async function deliverParcel(shop: ShopCaller) {
  const number = uniqueNumber('D')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  await shop.post('/shipment-events?notify=true', { id: number, event_name: 'SUCCESSFULLY_DELIVERED' })
  await settle()
  return {
    orderId: order.uuid as string,
    orderNumber: order.order_number as string,
    shipmentId: order.trackings[0].id as string,
  }
}

const uuids = (body: { uuid: string }[]) => body.map(({ uuid }) => uuid)

describe('log of deliveries', () => {
  it('has those of every receiver, newest first, and is filtered by each of its fields', async () => {
    const shop = (await makeShop()).as('admin')
    const [first, second] = [await openReceiver(), await openReceiver()]
    const [one, two] = [await listen(shop, first.url), await listen(shop, second.url)]
    second.respond = () => ({ status: 500 })
    await shop.patch('/settings/triggers', { klaviyo: true })
    const early = await deliverParcel(shop)
    clock.advance(hourMs)
    const between = clock.now().toISOString()
    clock.advance(hourMs)
    const late = await deliverParcel(shop)
    const all = (await shop.get('/deliveries')).body
    expect(uuids(all)).toEqual(uuids(all).toSorted().toReversed())
    expect(new Set(all.map((each: { order_number: string }) => each.order_number))).toEqual(
      new Set([early.orderNumber, late.orderNumber]),
    )
    const search = async (query: Record<string, string>) => (await shop.get('/deliveries', query)).body
    const matching = (isMatch: (delivery: Record<string, unknown>) => boolean) => uuids(all.filter(isMatch))
    expect(new Set(all.map((each: { webhook_id: string }) => each.webhook_id))).toEqual(
      new Set([one.uuid, two.uuid, null]),
    )
    for (const [query, isMatch] of [
      [{ webhook_id: one.uuid }, (each) => each.webhook_id === one.uuid],
      [{ integration: 'klaviyo' }, (each) => each.integration === 'klaviyo'],
      [{ status: 'dead' }, (each) => each.status === 'dead'],
      [{ status: 'pending', event: 'SUCCESSFULLY_DELIVERED' }, (each) => each.webhook_id === two.uuid],
      [{ event: 'ORDER_CREATED' }, (each) => each.event_name === 'ORDER_CREATED'],
      [{ shipment_id: early.shipmentId }, (each) => each.shipment_id === early.shipmentId],
      [{ order_id: late.orderId }, (each) => each.order_id === late.orderId],
      [
        { order_id: late.orderId, webhook_id: two.uuid },
        (each) => each.order_id === late.orderId && each.webhook_id === two.uuid,
      ],
      [{ created_from: between }, (each) => each.order_id === late.orderId],
      [{ created_to: between }, (each) => each.order_id === early.orderId],
      [
        { created_to: between, status: 'delivered' },
        (each) => each.order_id === early.orderId && each.status === 'delivered',
      ],
      [{ created_from: between, created_to: between }, () => false],
    ] as [Record<string, string>, (delivery: Record<string, unknown>) => boolean][]) {
      const expected = matching(isMatch)
      expect(uuids(await search(query)), JSON.stringify(query)).toEqual(expected)
    }
    const page = await shop.get('/deliveries', { per_page: 2, page: 2 })
    expect(uuids(page.body)).toEqual(uuids(all).slice(2, 4))
    expect(page.headers['x-total-count']).toBe(String(all.length))
    expect(uuids((await shop.get(`/webhooks/${one.uuid}/deliveries`, { created_from: between })).body)).toEqual(
      matching((each) => each.webhook_id === one.uuid && each.order_id === late.orderId),
    )
  })

  it('rejects a filter by two receivers, and one that cannot be read', async () => {
    const shop = (await makeShop()).as('admin')
    const webhook_id = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
    expect((await shop.get('/deliveries', { webhook_id, integration: 'klaviyo' })).status).toBe(422)
    for (const [name, value] of [
      ['status', 'lost'],
      ['webhook_id', 'x'],
      ['created_from', 'yesterday'],
    ] as const) {
      expect((await shop.get('/deliveries', { [name]: value })).status).toBe(422)
    }
    expect((await shop.get('/deliveries', { integration: 'nobody' })).body).toEqual([])
  })
})

describe('delivery', () => {
  it('has the request of each attempt as it was sent but for the path of its address, and how to verify it', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const endpoint = await listen(shop, `${receiver.url}/hook?key=1`)
    receiver.respond = () => ({ status: 503, body: 'busy' })
    await deliverParcel(shop)
    receiver.respond = () => ({ status: 200, body: 'thanks' })
    clock.advance(6_000)
    await settle()
    const [{ uuid }] = (await shop.get('/deliveries', { webhook_id: endpoint.uuid })).body
    const { body } = await shop.get(`/deliveries/${uuid}`)
    expect(body.attempts).toMatchObject([
      {
        status_code: 503,
        answer: 'busy',
        reason: 'server_error',
        request: { method: 'POST', url: `${receiver.url}/***` },
      },
      { status_code: 200, answer: 'thanks', reason: null, request: { changed_since: [] } },
    ])
    for (const [index, received] of receiver.received.entries()) {
      const { connection: _connection, ...sent } = received.headers
      const { headers } = body.attempts[index].request
      const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      expect(lowered).toEqual(sent)
      expect(body.body).toBe(received.text)
    }
    expect(JSON.stringify(body)).not.toContain(endpoint.secret)
    const { headers } = body.attempts[1].request
    const [ours, standard] = body.verification
    const timestamp = /^t=(\d+),v1=/.exec(headers[ours.header])?.[1] ?? ''
    const hex = createHmac('sha256', endpoint.secret)
      .update(ours.signed.replace('{t}', timestamp).replace('{body}', () => body.body))
      .digest('hex')
    expect(headers[ours.header]).toBe(`t=${timestamp},v1=${hex}`)
    const signed = standard.signed
      .replace('{webhook-id}', headers['webhook-id'])
      .replace('{webhook-timestamp}', headers['webhook-timestamp'])
      .replace('{body}', () => body.body)
    expect(headers[standard.header]).toBe(`v1,${createHmac('sha256', endpoint.secret).update(signed).digest('base64')}`)
  })

  it('says what was changed since the attempt', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const endpoint = await listen(shop, receiver.url)
    await deliverParcel(shop)
    const [{ uuid }] = (await shop.get('/deliveries', { webhook_id: endpoint.uuid })).body
    const request = async () => (await shop.get(`/deliveries/${uuid}`)).body.attempts.at(-1).request
    const sent = (await request()).headers
    await shop.patch(`/webhooks/${endpoint.uuid}`, { description: 'Ours', url: endpoint.url })
    expect((await request()).changed_since).toEqual([])
    clock.advance(1_000)
    await shop.patch(`/webhooks/${endpoint.uuid}`, { url: `${receiver.url}/new` })
    expect((await request()).changed_since).toEqual(['url'])
    await shop.post(`/webhooks/${endpoint.uuid}/rotate-secret`)
    const { headers, changed_since } = await request()
    expect(changed_since).toEqual(['url', 'secret'])
    expect(sent['webhook-signature']).toMatch(/^v1,/)
    expect(headers['webhook-signature']).toBeUndefined()
    clock.advance(1_000)
    await shop.post(`/deliveries/${uuid}/resend`)
    await settle()
    const again = await request()
    expect(again.changed_since).toEqual([])
    expect(again.headers['webhook-signature']).toBe(receiver.received.at(-1)?.headers['webhook-signature'])
    clock.advance(2 * dayMs)
    expect((await request()).headers['webhook-signature'], 'signed by both at the time').toMatch(/ v1,/)
    await shop.delete(`/webhooks/${endpoint.uuid}`)
    expect((await shop.get(`/deliveries/${uuid}`)).body).toMatchObject({
      verification: [],
      attempts: [{ request: null }, { request: null }],
    })
  })

  it('has no request of ours if an adapter sends it', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.patch('/settings/triggers', { klaviyo: true })
    await deliverParcel(shop)
    const [{ uuid }] = (await shop.get('/deliveries', { integration: 'klaviyo' })).body
    expect((await shop.get(`/deliveries/${uuid}`)).body).toMatchObject({
      verification: [],
      attempts: [{ request: null, reason: 'no_credentials' }],
    })
  })

  it('names the reason of a failure', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const closed = await closedPort()
    const reasonAt = async (url: string) => {
      const endpoint = await listen(shop, url)
      await shop.post(`/webhooks/${endpoint.uuid}/test`)
      await settle()
      return (await shop.get('/deliveries', { webhook_id: endpoint.uuid })).body[0].attempts[0].reason
    }
    expect(await reasonAt(`http://127.0.0.1:${closed}`)).toBe('refused')
    expect(await reasonAt('http://no-such-host.invalid/hook')).toBe('dns')
    expect(await reasonAt(receiver.url.replace('http:', 'https:'))).toBe('tls')
    for (const [status, reason] of [
      [301, 'redirect'],
      [401, 'unauthorized'],
      [404, 'not_found'],
      [410, 'not_found'],
      [422, 'rejected'],
      [429, 'rate_limited'],
      [502, 'server_error'],
    ] as const) {
      receiver.respond = () => ({ status })
      expect(await reasonAt(`${receiver.url}/${status}`), String(status)).toBe(reason)
    }
  })
})

describe('resending', () => {
  it('sends chosen deliveries again, and names those that there are not', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const endpoint = await listen(shop, receiver.url)
    await deliverParcel(shop)
    await deliverParcel(shop)
    await deliverParcel(shop)
    const sent = uuids((await shop.get('/deliveries', { webhook_id: endpoint.uuid })).body)
    const other = (await makeShop()).as('admin')
    expect((await other.post('/deliveries/resend', { deliveries: sent })).body).toEqual({ resent: 0, not_found: sent })
    const unknown = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
    const chosen = [sent[0] ?? '', sent[2] ?? '']
    const { body } = await shop.post('/deliveries/resend', { deliveries: [...chosen, unknown] })
    expect(body).toEqual({ resent: 2, not_found: [unknown] })
    await settle()
    expect(
      receiver.received
        .slice(3)
        .map(({ headers }) => headers['webhook-id'])
        .toSorted(),
    ).toEqual(chosen.toSorted())
    for (const deliveries of [[], ['x'], Array.from({ length: 101 }, () => unknown)]) {
      expect((await shop.post('/deliveries/resend', { deliveries })).status).toBe(422)
    }
  })
})

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
