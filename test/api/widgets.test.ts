import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { Widgets } from '../../src/http/widgets/widgets.ts'
import { ensureFresh } from '../harness/built.ts'
import { call, theService } from '../harness/service.ts'

beforeAll(() => ensureFresh('widgets'))

const path = '/widgets/doorstep.js'
const maxBytes = 15_000

describe('the script of the components', () => {
  it('is less than 15 KB, compressed either way', async () => {
    const script = new Widgets().script()
    expect((await script.encoded('gzip'))?.length).toBeLessThan(maxBytes)
    expect((await script.encoded('br'))?.length).toBeLessThan(maxBytes)
  })

  it('may be loaded by pages of every origin, and is checked again within minutes', async () => {
    const { status, headers, text } = await call('GET', path, {
      auth: null,
      headers: { origin: 'https://any.example' },
    })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
      vary: 'accept-encoding',
    })
    expect(text).toContain('doorstep-promise')
    const again = await call('GET', path, { auth: null, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('is sent as the browser can read it', async () => {
    const { app } = await theService()
    const get = (encoding: string) => app.inject({ url: path, headers: { 'accept-encoding': encoding } })
    const [plain, gzip, brotli] = [await get('identity'), await get('gzip'), await get('gzip, deflate, br')]
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.payload)
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.payload)
    expect([plain, gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
  })

  it('needs no eval, no storage and no cookies, and imports nothing', async () => {
    const { plain } = new Widgets().script()
    expect(plain.toString()).not.toMatch(
      /\beval\(|new Function|localStorage|sessionStorage|indexedDB|\.cookie|innerHTML/,
    )
    expect(plain.toString()).not.toMatch(/\bimport\s*[({"']|\bfrom\s*["']/)
  })
})
