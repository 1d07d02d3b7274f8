import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { hasOpenssl } from '../harness/certificate.ts'
import { findClosedPort } from '../harness/loopback.ts'
import { multipart } from '../harness/multipart.ts'
import { hasNginx, type RouterCall, startRouter } from '../harness/nginx.ts'
import { upsertOf } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { basic, type Cleanup, sharedByTests } from '../harness/process.ts'
import { call, openTestDatabase, startTestService } from '../harness/service.ts'

const common = 'doorstep.example'
const keys = {
  main: { username: 'admin', apiKey: 'key-of-the-main-installation' },
  eu: { username: 'admin', apiKey: 'key-of-the-eu-installation' },
}
type Installation = keyof typeof keys

async function startInstallation(name: Installation, routerPort: number, cleanup: Cleanup) {
  const service = await startTestService(
    {
      PORT: '0',
      HOST: '127.0.0.1',
      TRUST_PROXY: 'loopback',
      PUBLIC_URL: `https://${name}.doorstep.example:${routerPort}`,
      ADMIN_API_KEY: keys[name].apiKey,
    },
    await openTestDatabase(),
  )
  cleanup(() => service.stop())
  const { port } = service.app.server.address() as { port: number } // it listens on a port
  return { service, port }
}

describe.skipIf(!hasNginx || !hasOpenssl)('nginx in front of two installations (needs nginx and openssl)', () => {
  const shared = sharedByTests(async (cleanup) => {
    const routerPort = await findClosedPort()
    const main = await startInstallation('main', routerPort, cleanup)
    const eu = await startInstallation('eu', routerPort, cleanup)
    for (const [name, { service }] of Object.entries({ main, eu })) {
      const auth = keys[name as Installation] // the names of this object
      await call('POST', '/v1/shops', { auth, body: { name: `Shop of ${name}`, slug: `shop-of-${name}` } }, service)
      await call('POST', '/v1/shops', { auth, body: { name: `Moved, at ${name}`, slug: 'moved' } }, service)
    }
    const ports = { router: routerPort, main: main.port, eu: eu.port }
    const router = await startRouter(ports, ['shop-of-eu eu;', 'moved main;'], cleanup)
    const as = (name: Installation, host: string, path: string, options: RouterCall = {}) =>
      router.call(host, path, { ...options, headers: { authorization: basic(keys[name]), ...options.headers } })
    return { router, as, address: (name: Installation) => `https://${name}.doorstep.example:${routerPort}` }
  })

  it('reaches each shop under the common name, and each installation accepts its own keys only', async () => {
    const { as } = shared()
    for (const name of ['main', 'eu'] as const) {
      const found = await as(name, common, `/v1/shops/shop-of-${name}`)
      expect([found.status, JSON.parse(found.text).name]).toEqual([200, `Shop of ${name}`])
    }
    expect((await as('main', common, '/v1/shops/shop-of-eu')).status).toBe(401)
    expect((await as('eu', common, '/v1/shops/shop-of-main')).status).toBe(401)
  })

  it('takes the shop from a list, not from the name that was called', async () => {
    const { as } = shared()
    expect((await as('eu', 'main.doorstep.example', '/v1/shops/shop-of-eu')).status).toBe(200)
  })

  it('sends what names no shop to the installation of the name', async () => {
    const { as } = shared()
    const slugsAt = async (name: Installation, host: string) =>
      JSON.parse((await as(name, host, '/v1/shops')).text).map(({ slug }: { slug: string }) => slug)
    expect(await slugsAt('eu', 'eu.doorstep.example')).toContain('shop-of-eu')
    expect(await slugsAt('main', common)).toContain('shop-of-main')
    expect((await as('eu', common, '/v1/shops')).status).toBe(401)
  })

  it('shows tracking pages, their scripts and their stream of changes', async () => {
    const { as, router, address } = shared()
    const body = JSON.stringify(upsertOf('routed-1'))
    const headers = { 'content-type': 'application/json' }
    expect((await as('eu', common, '/v1/shops/shop-of-eu/orders', { method: 'PUT', headers, body })).status).toBe(200)
    const asked = { method: 'POST', headers, body: JSON.stringify({ id: 'routed-1' }) }
    const link = await as('eu', common, '/v1/shops/shop-of-eu/orders/trackpage-url', asked)
    const url: string = JSON.parse(link.text).url
    expect(url.startsWith(`${address('eu')}/track/shop-of-eu/`)).toBe(true)
    const { pathname } = new URL(url)
    for (const host of [common, 'eu.doorstep.example']) {
      const page = await router.call(host, pathname)
      expect([page.status, page.text.includes('routed-1')]).toEqual([200, true])
      const [, script = ''] = /src="([^"]*\/track\/-\/[^"]+)"/.exec(page.text) ?? []
      expect((await router.call(host, script)).status).toBe(200)
    }
    const stream = await router.call(common, `${pathname}/events`, { headOnly: true })
    expect([stream.status, stream.headers['content-type']]).toEqual([200, expect.stringContaining('text/event-stream')])
  })

  it('finds an image wherever it is', async () => {
    const { as, router } = shared()
    const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    for (const name of ['main', 'eu'] as const) {
      const form = multipart([
        { name: 'image_type', content: 'logo' },
        { name: 'image', content: image, filename: 'logo.png', contentType: 'image/png' },
      ])
      const sent = { method: 'POST', headers: form.headers ?? {}, body: form.payload ?? '' }
      const made = await as(name, common, `/v1/shops/shop-of-${name}/images`, sent)
      const { pathname } = new URL(JSON.parse(made.text).url)
      // More often than there are installations: each is the first to be tried once.
      for (const _try of [1, 2, 3]) expect((await router.call(common, pathname)).status).toBe(200)
    }
    expect((await router.call(common, `/v1/images/${'0'.repeat(20)}`)).status).toBeGreaterThanOrEqual(400)
  })

  it('opens the dashboard of a shop at the name of its installation', async () => {
    const { router, address } = shared()
    for (const host of [common, 'main.doorstep.example']) {
      const led = await router.call(host, '/dashboard/shop-of-eu/orders?page=2')
      expect([led.status, led.headers.location]).toEqual([302, `${address('eu')}/dashboard/shop-of-eu/orders?page=2`])
    }
    const page = await router.call('eu.doorstep.example', '/dashboard/shop-of-eu')
    const [, script = ''] = /src="(\/dashboard\/-\/[^"]+)"/.exec(page.text) ?? []
    expect((await router.call('eu.doorstep.example', script)).status).toBe(200)
    expect((await router.call('eu.doorstep.example', '/v1/session/options')).status).toBe(200)
  })

  it('signs people in at the name of their installation, and nowhere else', async () => {
    const { router } = shared()
    const host = 'eu.doorstep.example'
    const body = JSON.stringify({ username: keys.eu.username, api_key: keys.eu.apiKey })
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    const signedIn = await router.call(host, '/v1/session', { method: 'POST', headers, body })
    expect(signedIn.status).toBe(200)
    const [cookie = ''] = signedIn.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/; Secure/i)
    const session = { ...headers, cookie: cookie.split(';')[0] ?? '' }
    expect((await router.call(host, '/v1/shops/shop-of-eu', { headers: session })).status).toBe(200)
    expect((await router.call(host, '/v1/shops/moved', { headers: session })).status).toBe(401)
  })

  it('leads agents to the shop they name', async () => {
    const { as } = shared()
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const asked = { method: 'POST', headers, body }
    const listed = await as('eu', common, '/mcp?shop=shop-of-eu', asked)
    expect([listed.status, listed.text.includes('inputSchema')]).toEqual([200, true])
    expect((await as('main', common, '/mcp?shop=shop-of-eu', asked)).status).toBe(401)
  })

  it('lets readers of the feed wait for the next event', async () => {
    const { as } = shared()
    const headers = { 'content-type': 'application/json' }
    const send = (method: string, path: string, body: unknown) =>
      as('eu', common, `/v1/shops/shop-of-eu${path}`, { method, headers, body: JSON.stringify(body) })
    const order = upsertOf('routed-2', {}, [{ tracking_number: 'routed-parcel' }])
    expect((await send('PUT', '/orders', order)).status).toBe(200)
    const { next } = JSON.parse((await as('eu', common, '/v1/shops/shop-of-eu/events?limit=100')).text)
    const waiting = as('eu', common, `/v1/shops/shop-of-eu/events?after=${next}&wait=30`)
    const event = { id: 'routed-parcel', event_name: 'PARCEL_DISPATCHED' }
    expect((await send('POST', '/shipment-events?notify=true', event)).status).toBe(200)
    const { status, text } = await waiting
    expect([status, text.includes('PARCEL_DISPATCHED')]).toEqual([200, true])
  })

  it('does not pass on what clients claim about themselves', async () => {
    const { as, router } = shared()
    const claims = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '10.1.1.1' }
    expect((await as('main', common, '/v1/shops/shop-of-main', { headers: claims })).status).toBe(200)
    expect((await router.call(common, '/metrics')).status).toBe(404)
  })

  it('lets the service reject what is too large, in its own words', async () => {
    const { as } = shared()
    const large = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(10_500_000, ' '),
    }
    const { status, text } = await as('eu', common, '/v1/shops/shop-of-eu/orders', large)
    expect(status).toBe(413)
    expect(JSON.parse(text).type).toBe('invalid_request_error')
  })

  it('moves a shop when its line changes, with 503 in between', async () => {
    const { as, router } = shared()
    const look = () => as('main', common, '/v1/shops/moved')
    expect(JSON.parse((await look()).text).name).toBe('Moved, at main')
    router.setShops(['shop-of-eu eu;', 'moved moving;'])
    const moving = await until(async () => {
      const reply = await look()
      return reply.status === 503 ? reply : undefined
    })
    expect(moving.headers['retry-after']).toBe('10')
    expect(JSON.parse(moving.text)).toMatchObject({ key: expect.any(String), type: 'api_error' })
    expect((await as('main', common, '/v1/shops/shop-of-main')).status).toBe(200)
    router.setShops(['shop-of-eu eu;', 'moved eu;'])
    const moved = await until(async () => {
      const reply = await as('eu', common, '/v1/shops/moved')
      return reply.status === 200 ? reply : undefined
    })
    expect(JSON.parse(moved.text).name).toBe('Moved, at eu')
    // Connections of before are still served by the former configuration for a moment.
    await until(async () => ((await look()).status === 401 ? true : undefined))
  })
})
