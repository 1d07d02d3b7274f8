import { describe, expect, it, vi } from 'vitest'
import { multipart } from '../harness/multipart.ts'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { payload, senderOf } from '../harness/shop-systems.ts'

const headers = { 'content-type': 'application/json' }

describe('large body', () => {
  const repeated = (item: string, count: number) => Array(count).fill(item).join(',')

  it.each([
    ['empty orders', `[${repeated('{}', 300_000)}]`],
    ['empty lists', `{"id":"1","trackings":[${repeated('[]', 300_000)}]}`],
    ['numbers in a field that is not known', `[{"id":"1","trackings":[],"other":[${repeated('1', 1_200_000)}]}]`],
  ])('is rejected before parsing if it has too many values: %s', async (_what, payload) => {
    const shop = await makeShop()
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders/bulk`, { payload, headers })
    expect(reply).toMatchObject({ status: 413, body: { key: 'invalid_payload', errors: [] } })
    expect(reply.body.message).toContain('more values')
  })

  it('is rejected with the name of a list that is too long', async () => {
    const shop = await makeShop()
    const payload = `[${repeated('{}', 1_001)}]`
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders/bulk`, { payload, headers })
    expect(reply.status).toBe(422)
    expect(reply.body.errors[0]).toMatchObject({ loc: ['body'], msg: 'must not have more than 1000 items' })
  })

  it.each([
    ['looks like values', '{[,'.repeat(600_000)],
    ['ends in escaped quotes', `${'{[,'.repeat(600_000)}\\"\\\\\\"`],
  ])('may contain text that %s', async (_what, text) => {
    const shop = await makeShop()
    const payload = `{"id":"none","trackings":[],"other":"${text}"}`
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders`, { payload, headers })
    expect(reply).toMatchObject({ status: 404, body: { key: 'order_not_found' } })
  })

  it('is rejected with the text that cannot be stored, even if the search for it runs out of time', async () => {
    const shop = await makeShop()
    const payload = `{"id":"none","trackings":[],"other":[${repeated('1', 200_000)},"\\u0000"]}`
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders`, { payload, headers })
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toMatchObject([{ loc: ['body'], type: 'value_error' }])
  })
})

describe('body with too many names of fields', () => {
  const namesFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => `"name ${first + index}":1`).join(',')

  // Names are counted by hashes of 32 bits, of which a few may be equal: so not just one too many.
  it.each([
    ['in one object', `{${namesFrom(0, 21_000)}}`],
    ['in many objects', many((index) => `{${namesFrom(100 * index, 100)}}`, 210)],
    ['behind escapes', `{${namesFrom(0, 21_000).replaceAll('name', '\\u0061\\"')}}`],
  ])('is rejected before it is parsed: %s', async (_what, other) => {
    const shop = await makeShop()
    const send = () =>
      call('PUT', `/v1/shops/${shop.slug}/orders`, {
        payload: `{"id":"none","trackings":[],"order_analytics":${other}}`,
        headers,
      })
    const { value: reply, parsed } = await countParsed(send)
    expect(reply).toMatchObject({ status: 413, body: { key: 'invalid_payload', errors: [] } })
    expect(reply.body.message).toContain('different names of fields')
    expect(parsed).toBe(0)
  })

  it('may have the same names many times', async () => {
    const shop = await makeShop()
    const payload = `{"id":"none","trackings":[],"other":${many(() => `{${namesFrom(0, 100)}}`, 300)}}`
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders`, { payload, headers })
    expect(reply).toMatchObject({ status: 404, body: { key: 'order_not_found' } })
  })
})

describe('deeply nested body', () => {
  const nested = (depth: number, open = '[', close = ']') => `${open.repeat(depth)}1${close.repeat(depth)}`
  const problem = { loc: ['body'], msg: 'must not be nested more than 100 deep', type: 'value_error' }

  it.each([
    ['lists', nested(5_000)],
    ['objects', nested(5_000, '{"a":', '}')],
    ['lists in a large body', `[${nested(5_000)},"${'x'.repeat(500_000)}"]`],
    ['one list too many', nested(100)],
  ])('is rejected as invalid: %s', async (_what, value) => {
    const shop = await makeShop()
    const path = `/v1/shops/${shop.slug}/orders`
    for (const field of ['order_analytics', 'trackings', 'other']) {
      const payload = `{"id":"none","trackings":[],"${field}":${value}}`
      const reply = await call('PUT', path, { payload, headers })
      expect(reply, field).toMatchObject({ status: 422, body: { key: 'invalid_payload', errors: [problem] } })
    }
    const bulk = await call('PUT', `${path}/bulk`, { payload: `[${value}]`, headers })
    expect(bulk).toMatchObject({ status: 422, body: { errors: [problem] } })
  })

  it('is accepted up to the limit', async () => {
    const shop = await makeShop()
    const order = `{"order_number":"1","order_analytics":{"deep":${nested(97)}}}`
    const payload = `{"id":"1","trackings":[],"order":${order}}`
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders`, { payload, headers })
    expect(reply.status).toBe(200)
  })

  it('is rejected in a signed message, an agent’s message, and a field of a form', async () => {
    const shop = await makeShop()
    for (const system of ['shopify', 'woocommerce'] as const) {
      const sender = await senderOf(shop, system)
      const topic = { shopify: 'orders/create', woocommerce: 'order.created' }[system]
      const message = JSON.stringify(payload(`${system}-order`)).replace('{', `{"deep":${nested(5_000)},`)
      expect(await sender.send(topic, message)).toMatchObject({ status: 422, body: { errors: [problem] } })
    }
    const agent = await call('POST', '/mcp', { payload: nested(5_000), headers })
    expect(agent).toMatchObject({ status: 422, body: { errors: [problem] } })
    for (const content of [nested(4_000), '{"toString":1}']) {
      const field = { name: 'column_map', content, contentType: 'application/json' }
      const image = { name: 'image', content: 'x', filename: 'a.png' }
      const form = await call('POST', `/v1/shops/${shop.slug}/images`, multipart([field, image]))
      expect(form).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'column_map'] }] } })
    }
  })
})

/** Counts the texts that are parsed meanwhile. */
async function countParsed<Value>(work: () => Promise<Value>): Promise<{ value: Value; parsed: number }> {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    const value = await work()
    return { value, parsed: parse.mock.calls.filter(([text]) => String(text).length > 10_000).length }
  } finally {
    parse.mockRestore()
  }
}

function many(item: (index: number) => string, count: number): string {
  return `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`
}

describe('escaped character', () => {
  it.each([
    ['half a pair behind what only looks like the other half', '\\\\ud83e\\udde6', 422],
    ['the first half at the end', 'a\\ud83e', 422],
    ['the first half twice', '\\ud83e\\ud83e\\udde6', 422],
    ['the second half twice', '\\ud83e\\udde6\\udde6', 422],
    ['U+0000 behind an escaped backslash', '\\\\\\u0000', 422],
    ['a backslash and the digits of U+0000', '\\\\u0000', 200],
    ['pairs', '\\ud83e\\udde6\\uD83E\\uDDE6', 200],
    ['letters', '\\u00e4\\u00f6', 200],
  ])('is stored if it is valid: %s', async (_what, text, status) => {
    const shop = await makeShop()
    const payload = `{"id":"1","trackings":[],"order":{"order_number":"1","order_name":"${text}"}}`
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders`, { payload, headers })
    expect(reply.status).toBe(status)
    if (status !== 200) return
    const [order] = (await call('GET', `/v1/shops/${shop.slug}/orders`)).body
    expect(order.order_name).toBe(JSON.parse(`"${text}"`))
  })
})
