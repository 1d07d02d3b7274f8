import { describe, expect, it } from 'vitest'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const headers = { 'content-type': 'application/json' }

describe('large body', () => {
  const many = (item: string, count: number) => Array(count).fill(item).join(',')

  it.each([
    ['empty orders', `[${many('{}', 300_000)}]`],
    ['empty lists', `{"id":"1","trackings":[${many('[]', 300_000)}]}`],
    ['numbers in a field that is not known', `[{"id":"1","trackings":[],"other":[${many('1', 1_200_000)}]}]`],
  ])('is rejected before parsing if it has too many values: %s', async (_what, payload) => {
    const shop = await makeShop()
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders/bulk`, { payload, headers })
    expect(reply).toMatchObject({ status: 413, body: { key: 'invalid_payload', errors: [] } })
    expect(reply.body.message).toContain('more values')
  })

  it('is rejected with the name of a list that is too long', async () => {
    const shop = await makeShop()
    const payload = `[${many('{}', 1_001)}]`
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
    const payload = `{"id":"none","trackings":[],"other":[${many('1', 200_000)},"\\u0000"]}`
    const reply = await call('PUT', `/v1/shops/${shop.slug}/orders`, { payload, headers })
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toMatchObject([{ loc: ['body'], type: 'value_error' }])
  })
})

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
