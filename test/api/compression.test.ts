import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { superadmin, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const authorization = `Basic ${Buffer.from(`${superadmin.username}:${superadmin.apiKey}`).toString('base64')}`

async function get(url: string, headers: Record<string, string>) {
  const { app } = await theService()
  return app.inject({ url, headers: { authorization, ...headers } })
}

const ownPage = { 'sec-fetch-site': 'same-origin' }

describe('a long response', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s for our own pages', async (encoding, decompress) => {
    const plain = await get('/v1/carriers', {})
    const { headers, rawPayload } = await get('/v1/carriers', { ...ownPage, 'accept-encoding': encoding })
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(rawPayload.length),
      vary: 'accept-encoding',
    })
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    expect(decompress(rawPayload).toString()).toBe(plain.payload)
  })

  it.each([
    ['a program', {}],
    ['the page of a stranger', { 'sec-fetch-site': 'cross-site' }],
    ['a link that a stranger has made', { 'sec-fetch-site': 'none' }],
  ])('is plain for %s', async (_who, headers) => {
    const reply = await get('/v1/carriers', { 'accept-encoding': 'gzip, br', ...headers })
    expect(reply.headers['content-encoding']).toBeUndefined()
    expect(reply.json().length).toBeGreaterThan(10)
  })

  it('is plain if the browser wants it so', async () => {
    expect((await get('/v1/carriers', ownPage)).headers['content-encoding']).toBeUndefined()
  })
})

it('a short response is plain', async () => {
  const { slug } = await makeShop()
  const reply = await get(`/v1/shops/${slug}/orders`, { ...ownPage, 'accept-encoding': 'br' })
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-encoding']).toBeUndefined()
})
