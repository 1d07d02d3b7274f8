import { afterAll, describe, expect, it } from 'vitest'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const receivers: Receiver[] = []
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

const key = { name: 'X-Api-Key', value: 'a key that nobody sees' }
const bearer = { name: 'Authorization', value: 'Bearer 5f2c81' }

async function openShop(headers: unknown) {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const shop = (await makeShop()).as('admin')
  const made = await shop.post('/webhooks', { url: receiver.url, headers })
  const uuid: string = made.body.uuid
  return { receiver, shop, made, uuid, path: `/webhooks/${uuid}` }
}

describe('headers of an endpoint', () => {
  it('are sent with events, test messages and resends', async () => {
    const { receiver, shop, path, uuid } = await openShop([key, bearer])
    const number = uniqueNumber('HD')
    await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
    await shop.post('/shipment-events?notify=true', { id: number, event_name: 'OUT_FOR_DELIVERY' })
    await settle()
    await shop.post(`${path}/test`)
    await settle()
    const [delivery] = (await shop.get(`/webhooks/${uuid}/deliveries`)).body
    await shop.post(`/deliveries/${delivery.uuid}/resend`)
    await settle()
    expect(receiver.received.length).toBeGreaterThanOrEqual(3)
    for (const { headers } of receiver.received) {
      expect(headers).toMatchObject({ 'x-api-key': key.value, authorization: bearer.value })
      expect(headers).toHaveProperty('webhook-signature')
      expect(headers['content-type']).toBe('application/json')
    }
  })

  it('are shown by name only, also in the log of requests and in the audit log', async () => {
    const { shop, made, path } = await openShop([key])
    expect(made.body.headers).toEqual([{ name: 'X-Api-Key', value: null }])
    const { body: test } = await shop.post(`${path}/test`)
    await settle()
    const { body: detail } = await shop.get(`/deliveries/${test.uuid}`)
    expect(detail.attempts[0].request.headers).toMatchObject({ 'X-Api-Key': '***' })
    await shop.patch(path, { headers: [{ ...key, value: 'another key that nobody sees' }] })
    const { body: changed } = await shop.get(`/deliveries/${test.uuid}`)
    expect(changed.attempts[0].request.changed_since).toEqual(['headers'])
    const seen = [
      made.text,
      JSON.stringify(detail),
      (await shop.get('/webhooks')).text,
      (await shop.get('/audit-log')).text,
    ]
    expect(seen.join()).not.toMatch(/nobody sees/)
    expect((await shop.get('/audit-log')).text).toMatch(/header_secrets/)
  })

  it('are encrypted in the store', async () => {
    const { uuid } = await openShop([key])
    const { database } = await theService()
    const row = await database.db
      .selectFrom('webhook_endpoints')
      .where('id', '=', uuid)
      .select(['headers', 'headers_since'])
      .executeTakeFirstOrThrow()
    expect(row.headers?.length).toBeGreaterThan(20)
    expect(row.headers?.toString('latin1')).not.toMatch(/X-Api-Key|nobody/)
    expect(row.headers_since).not.toBeNull()
  })

  it('keep their values unless new ones are given, and go with null', async () => {
    const { receiver, shop, path } = await openShop([key, bearer])
    await shop.patch(path, { description: 'Nothing about headers' })
    await shop.patch(path, { headers: [{ name: 'x-api-key' }, { name: 'X-New', value: 'n' }] })
    await shop.post(`${path}/test`)
    await settle()
    expect(receiver.received.at(-1)?.headers).toMatchObject({ 'x-api-key': key.value, 'x-new': 'n' })
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('authorization')
    await shop.patch(path, { headers: null })
    expect((await shop.get(path)).body.headers).toEqual([])
    await shop.post(`${path}/test`)
    await settle()
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('x-api-key')
  })

  it('do not follow the endpoint to another host: their values are given again', async () => {
    const { shop, path, receiver } = await openShop([key])
    const moved = await shop.patch(path, { url: 'https://elsewhere.example/hook' })
    expect(moved).toMatchObject({
      status: 422,
      body: { key: 'invalid_payload', errors: [{ loc: ['body', 'headers', 0, 'value'] }] },
    })
    expect((await shop.get(path)).body.url).toBe(receiver.url)
    expect((await shop.patch(path, { url: `${receiver.url}/other-path` })).status).toBe(200)
    expect((await shop.patch(path, { url: 'https://elsewhere.example/hook', headers: [key] })).status).toBe(200)
    expect((await shop.patch(path, { url: 'https://third.example/hook', headers: [] })).status).toBe(200)
    expect((await shop.get(path)).body).toMatchObject({ url: 'https://third.example/hook', headers: [] })
  })

  it.each([
    ['a line break', { name: 'X-Key', value: 'a\r\nHost: evil.example' }, 'value'],
    ['a space at the end', { name: 'X-Key', value: 'a ' }, 'value'],
    ['a character beyond ASCII', { name: 'X-Key', value: 'Schlüssel' }, 'value'],
    ['no value', { name: 'X-Key' }, 'value'],
    ['a name with a colon', { name: 'X-Key:', value: 'a' }, 'name'],
    ['a name with a line break', { name: 'X-Key\r\nHost', value: 'a' }, 'name'],
    ['a name of one connection', { name: 'Connection', value: 'close' }, 'name'],
    ['the host', { name: 'HOST', value: 'evil.example' }, 'name'],
    ['the length of the body', { name: 'Content-Length', value: '1' }, 'name'],
    ['the type of the body', { name: 'content-type', value: 'text/html' }, 'name'],
    ['an id of ours', { name: 'Webhook-Id', value: 'a' }, 'name'],
    ['a signature of ours', { name: 'Doorstep-Signature', value: 'a' }, 'name'],
    ['a header of a proxy', { name: 'Proxy-Authorization', value: 'a' }, 'name'],
  ])('reject %s', async (_what, header, part) => {
    const shop = (await makeShop()).as('admin')
    const rejected = await shop.post('/webhooks', { url: 'https://receiver.example/', headers: [header] })
    expect(rejected).toMatchObject({
      status: 422,
      body: { key: 'invalid_payload', errors: [{ loc: ['body', 'headers', 0, part] }] },
    })
    expect((await shop.get('/webhooks')).body).toEqual([])
  })

  it('are five at most, each once, and bounded', async () => {
    const shop = (await makeShop()).as('admin')
    const create = (headers: unknown) => shop.post('/webhooks', { url: 'https://receiver.example/', headers })
    const many = [1, 2, 3, 4, 5, 6].map((n) => ({ name: `X-${n}`, value: 'a' }))
    for (const headers of [
      many,
      [key, { name: 'x-api-KEY', value: 'b' }],
      [{ name: 'X-Long', value: 'x'.repeat(1_001) }],
      [{ name: 'X'.repeat(101), value: 'a' }],
    ]) {
      expect(await create(headers)).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    }
    expect((await create(many.slice(0, 5))).body.headers).toHaveLength(5)
  })
})
