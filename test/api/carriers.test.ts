import { describe, expect, it } from 'vitest'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describe('carriers', () => {
  it('lists every carrier to a viewer of any shop', async () => {
    const auth = await (await makeShop()).credentials('viewer')
    const { status, body } = await call('GET', '/v1/carriers', { auth })
    expect(status).toBe(200)
    expect(body.length).toBeGreaterThanOrEqual(60)
    expect(body).toContainEqual({
      carrier_reference: 'dhl',
      name: 'DHL',
      countries: ['DE'],
      tracking_url_template: expect.stringContaining('{tracking_number}'),
      aliases: expect.arrayContaining(['DHL Paket', 'Deutsche Post DHL']),
    })
  })

  it('detects the carrier of a number and says why', async () => {
    const auth = await (await makeShop()).credentials('viewer')
    const { status, body } = await call('POST', '/v1/carriers/detect', {
      auth,
      body: { tracking_number: '0034 0433 8364 4263 6597', country_code: 'de' },
    })
    expect(status).toBe(200)
    expect(body.candidates[0]).toEqual({
      carrier_reference: 'dhl',
      name: 'DHL',
      confidence: expect.closeTo(0.98, 1),
      reason: '20-digit parcel number 0034…, check digit right, usual in DE',
    })
  })

  it('finds the carrier of a distinctive number with a wrong check digit, and says so', async () => {
    const { body } = await call('POST', '/v1/carriers/detect', { body: { tracking_number: '1Z12345E0205271688' } })
    expect(body.candidates).toEqual([
      {
        carrier_reference: 'ups',
        name: 'UPS',
        confidence: expect.closeTo(0.75, 2),
        reason: '1Z number, check digit wrong',
      },
    ])
  })

  it('lets the country decide, and lists the candidates best first', async () => {
    const candidatesIn = async (country_code: string) => {
      const { body } = await call('POST', '/v1/carriers/detect', {
        body: { tracking_number: '3312 2238 6376', country_code },
      })
      return body.candidates.map(({ carrier_reference }: { carrier_reference: string }) => carrier_reference)
    }
    expect((await candidatesIn('CA'))[0]).toBe('purolator')
    expect((await candidatesIn('IT'))[0]).toBe('brt')
  })

  it('reads the number in the address of a tracking page', async () => {
    const { body } = await call('POST', '/v1/carriers/detect', {
      body: { tracking_number: 'https://www.ups.com/track?tracknum=1Z5R89390357567127' },
    })
    expect(body.candidates[0]).toMatchObject({ carrier_reference: 'ups', confidence: 1 })
    expect(body.candidates[0].reason).toContain('named in the text')
  })

  it('returns no candidate for a text that is no tracking number', async () => {
    const { body } = await call('POST', '/v1/carriers/detect', {
      body: { tracking_number: 'HELLO', country_code: null },
    })
    expect(body).toEqual({ candidates: [] })
  })

  it('rejects a body without a number or with an unknown country', async () => {
    expect(await call('POST', '/v1/carriers/detect', { body: {} })).toMatchObject({
      status: 422,
      body: { key: 'invalid_payload', errors: [{ loc: ['body', 'tracking_number'], type: 'missing' }] },
    })
    const wrong = { tracking_number: '1Z5R89390357567127', country_code: 'Germany' }
    expect(await call('POST', '/v1/carriers/detect', { body: wrong })).toMatchObject({
      status: 422,
      body: { key: 'invalid_payload', errors: [{ loc: ['body', 'country_code'] }] },
    })
  })

  it('rejects a caller without a key or with a wrong key', async () => {
    const wrong = { username: 'nobody', apiKey: 'wrong' }
    expect((await call('GET', '/v1/carriers', { auth: null })).status).toBe(400)
    expect((await call('GET', '/v1/carriers', { auth: wrong })).status).toBe(401)
    const body = { tracking_number: '1Z5R89390357567127' }
    expect((await call('POST', '/v1/carriers/detect', { auth: null, body })).status).toBe(400)
    expect((await call('POST', '/v1/carriers/detect', { auth: wrong, body })).status).toBe(401)
  })
})
