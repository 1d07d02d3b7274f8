import { describe, expect, it } from 'vitest'
import { fillIn, open, orderToClaim } from '../harness/claim-form.ts'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

/** Names that every plain object inherits. */
const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

describe('name that every object inherits', () => {
  it.each(names)('is not accepted by the claim form: %s', async (name) => {
    const { address } = await orderToClaim(await makeShop())
    const { text } = await open(address)
    const fields = ['dropoff', 'reason', 'resolution', 'shipment', 'form', 'kept_photo', 'kept_signature']
    for (const field of fields) {
      const changes = { reason: 'investigation', signature_name: 'Ada', dropoff: 'no', [field]: name }
      const { status } = await fillIn(address, text, changes)
      expect(status, `${field}=${name}`).toBeLessThan(500)
    }
    const refused = await fillIn(address, text, { reason: 'investigation', signature_name: 'Ada', dropoff: name })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('href="#dropoff')
  })

  it.each(names)('is not a language, provider, event, topic or field: %s', async (name) => {
    const shop = await makeShop()
    const editor = shop.as('editor')
    const page = `/track/${shop.slug}`
    const replies = [
      await open(`${page}?lang=${name}&number=${name}&${name}=1`, { headers: { 'accept-language': name } }),
      await call('GET', `/v1/shops?${name}=1&${name}[${name}]=1`),
      await call('GET', `/v1/images/${name}`, { auth: null }),
      await call('POST', `/v1/inbound/${shop.slug}/carriers/${name}`, { auth: null, payload: '{}' }),
      await call('POST', `/v1/inbound/${shop.slug}/${name}`, { auth: null, payload: '{}' }),
      await editor.post(
        '/orders',
        JSON.parse(`{"order_number":"1","${name}":{"${name}":1},"products":[{"${name}":1}]}`),
      ),
      await editor.post('/carriers/detect', { tracking_number: name, country_code: name }),
      await shop.as('admin').post('/webhooks', { url: 'https://shop.example/hook', enabled_events: [name] }),
      await shop.as('admin').put(`/keys/${name}`, { api_key: name }),
      await shop.as('admin').patch(`/settings/triggers/${name}`, { status: name }),
      await shop.as('viewer').get('/shipments', { sort: name, phase: name, flag: name }),
    ]
    expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  })
})

describe('metrics', () => {
  it('have no series for arbitrary names of callers', async () => {
    await call('GET', '/metrics', { auth: null })
    const series = async () => {
      const { text } = await call('GET', '/metrics', { auth: null })
      // Those of the runtime come and go with what it does.
      return new Set(text.split('\n').map((line) => /^doorstep_[^{]*\{[^}]*\}/.exec(line)?.[0]))
    }
    const callAll = async (round: number) => {
      for (const path of [`/made-up-${round}`, `/%zz${round}`, `/track/none-${round}/x`, `/v1/shops/none-${round}`]) {
        for (const method of ['GET', 'POST', 'PUT', 'OPTIONS', 'PROPFIND']) await call(method, path, { auth: null })
      }
      await call('GET', `/track/none/${'x'.repeat(600 + round)}`, { auth: null })
    }
    await callAll(1)
    const before = await series()
    await callAll(2)
    expect(await series()).toEqual(before)
    expect([...before].join(' ')).not.toMatch(/made-up|zz|none-|xxx/)
  })
})
