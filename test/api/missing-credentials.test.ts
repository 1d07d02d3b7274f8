import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

/** Headers that clients send beside their credentials; Node's own fetch sends the first. */
const clients: Record<string, string>[] = [
  { 'sec-fetch-mode': 'cors', 'user-agent': 'node' },
  {},
  { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' },
  { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site', origin: 'https://else.example' },
  { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-site' },
  { origin: 'https://doorstep.example' },
  { cookie: 'consent=yes' },
  { cookie: `doorstep_session=${'A'.repeat(43)}` },
]

const malformed = [
  '',
  'Basic',
  'Basic !!!',
  `Basic ${Buffer.from('name').toString('base64')}`,
  'Bearer abc',
  'nonsense',
]

describe('request without credentials', () => {
  it('gets 400 whatever client sends it, for every operation that needs them', async () => {
    const shop = await makeShop()
    const needing = operations.filter(({ needs, readsAuthorization }) => needs !== 'nobody' && !readsAuthorization)
    expect(needing.length).toBeGreaterThan(100)
    for (const { method, path, name } of needing) {
      const address = path.replace('{slug}', shop.slug).replaceAll(/\{\w+\}/g, 'x')
      // The others pass the same way, and are tried with one.
      for (const headers of name === 'updateShop' ? clients : clients.slice(0, 1)) {
        const { status, body } = await call(method, address, { auth: null, headers })
        expect([status, body.key], `${name} ${JSON.stringify(headers)}`).toEqual([400, 'invalid_merchant_or_key'])
      }
    }
  })

  it('gets 401 if a page of our own sent it: its session has ended', async () => {
    const shop = await makeShop()
    for (const path of ['/v1/session', `/v1/shops/${shop.slug}/orders`]) {
      for (const others of [{}, { 'sec-fetch-mode': 'cors' }, { cookie: 'consent=yes' }] as Record<string, string>[]) {
        const headers = { 'sec-fetch-site': 'same-origin', ...others }
        expect(await call('GET', path, { auth: null, headers })).toMatchObject({
          status: 401,
          headers: { 'www-authenticate': expect.anything() },
          body: { key: 'invalid_merchant_or_key' },
        })
      }
    }
  })

  it('gets 400 if they are malformed, and 401 if they are wrong', async () => {
    const shop = await makeShop()
    for (const headers of clients) {
      for (const authorization of malformed) {
        const reply = await call('GET', `/v1/shops/${shop.slug}`, {
          auth: null,
          headers: { ...headers, authorization },
        })
        expect([reply.status, reply.body.key], authorization).toEqual([400, 'invalid_merchant_or_key'])
      }
    }
    for (const [index, headers] of clients.entries()) {
      const auth = { username: `nobody-${index}`, apiKey: 'a-key-that-nobody-was-given' }
      expect((await call('GET', `/v1/shops/${shop.slug}`, { auth, headers, from: `10.77.0.${index}` })).status).toBe(
        401,
      )
    }
  })
})
