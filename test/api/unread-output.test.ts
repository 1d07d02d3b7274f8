import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Service } from '../../src/service.ts'
import { eventKinds } from '../../src/webhooks/payloads/event-kinds.ts'
import { hasOpenssl, makeCertificate } from '../harness/certificate.ts'
import { until } from '../harness/patience.ts'
import { clock, startNode, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const listening = { PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: '' }

/** A node with the connections that it accepted. */
async function startListening(settings: Record<string, string> = {}): Promise<{ node: Service; accepted: Socket[] }> {
  const node = await startNode({ ...listening, ...settings })
  const accepted: Socket[] = []
  node.app.server.on('connection', (socket: Socket) => accepted.push(socket))
  return { node, accepted }
}

/** The same request several times, so that the system does not take all of the responses at once; nothing is read. */
function requestUnread(node: Service, path: string, headers: string[] = [], times = 4): Socket {
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {}).write(requestOf(path, headers).repeat(times))
  return socket
}

function requestOf(path: string, headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n')
}

/** Moves the clock until the service has closed the connection, which it looks at every second. */
async function untilCut(socket: Socket | undefined): Promise<void> {
  await until(() => {
    clock.advance(1_000)
    return socket?.destroyed ? true : undefined
  })
}

const isPending = (socket: Socket | undefined) => (socket && socket.writableLength > 0 ? true : undefined)

describe('a public document', async () => {
  const { app } = await theService()
  const script = await app.inject({ url: '/dashboard' })
  const paths = [
    ...['/docs', '/openapi.json', '/postman.json', '/asyncapi.json', '/schemas/events.json'],
    `/schemas/events/${eventKinds[0]?.name}.json`,
    ...['/llms.txt', '/llms-full.txt', '/docs/guide', '/docs/guide/webhooks', '/docs/guide/webhooks.md'],
    ...['/docs/guide/guide.css', '/docs/guide/guide.js', '/docs/guide/minisearch.js', '/docs/guide/search.json'],
    '/widgets/doorstep.js',
    ...new Set(script.payload.match(/\/dashboard-files\/[\w.-]+\.js/g)?.slice(0, 1)),
  ]

  it.each(paths)('is sent in the form that the client accepts, and again only if it has changed: %s', async (url) => {
    const get = (headers: Record<string, string> = {}) => app.inject({ url, headers })
    const plain = await get()
    const { etag, 'content-length': length, 'content-encoding': none } = plain.headers
    expect([plain.statusCode, none, length]).toEqual([200, undefined, String(plain.rawPayload.length)])
    expect(plain.headers.vary).toBe('accept-encoding')
    expect(etag).toMatch(/^"[\w.-]{16,}"$/)
    const brotli = await get({ 'accept-encoding': 'gzip, br' })
    const gzip = await get({ 'accept-encoding': 'gzip' })
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    const kept = await get({ 'if-none-match': String(etag) })
    expect([kept.statusCode, kept.rawPayload.length]).toEqual([304, 0])
    const head = await app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([200, length, 0])
  })

  it('is not in memory for each client that does not read it', async () => {
    const { node, accepted } = await startListening()
    onTestFinished(() => node.stop())
    const { rawPayload } = await app.inject({ url: '/docs' })
    const count = 40
    for (let index = 0; index < count; index += 1) requestUnread(node, '/docs')
    await until(() => (accepted.length === count && accepted.every(isPending) ? true : undefined))
    const unreadBytes = accepted.reduce((sum, { writableLength }) => sum + writableLength, 0)
    expect(unreadBytes).toBeLessThan(2 * count * 65_536)
    expect(rawPayload.length).toBeGreaterThan(20 * 65_536)
  })
})

describe('a client that does not read', () => {
  let node: Service
  let accepted: Socket[]
  beforeAll(async () => {
    ;({ node, accepted } = await startListening())
  })
  afterEach(() => clock.reset())
  afterAll(() => node.stop())

  it('is cut, and one that reads is not', async () => {
    requestUnread(node, '/docs')
    const reading = requestUnread(node, '/healthz', [], 1).resume()
    await until(() => accepted.find(isPending))
    const idle = accepted.filter((socket) => !isPending(socket))
    await untilCut(accepted.find(isPending))
    expect([idle.length, idle.filter(({ destroyed }) => destroyed).length, reading.destroyed]).toEqual([1, 0, false])
  })

  it('of an export is cut, and the export ends', async () => {
    const shop = await makeShop()
    const order = { order_name: 'n'.repeat(200), address: { zip_code: '10115', street: 's'.repeat(200) } }
    const upserts = Array.from({ length: 1_000 }, (_, index) => ({
      id: `n${index}`,
      order,
      trackings: [{ tracking_number: `T${index}` }],
    }))
    expect((await shop.as('editor').put('/orders/bulk', upserts)).status).toBe(200)
    const { username, apiKey } = await shop.credentials('viewer')
    const basic = `Authorization: Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`
    const before = accepted.length
    requestUnread(node, `/v1/shops/${shop.slug}/exports/shipments.csv`, [basic], 10)
    await until(() => isPending(accepted[before]))
    await untilCut(accepted[before])
  })

  it.skipIf(!hasOpenssl)('is cut over HTTPS too (needs openssl)', async () => {
    const { certificateFile, keyFile } = makeCertificate()
    const { node: secure, accepted: raw } = await startListening({ TLS_CERT: certificateFile, TLS_KEY: keyFile })
    onTestFinished(() => secure.stop())
    const socket = connectSecurely({ port: Number(new URL(secure.url).port), rejectUnauthorized: false })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {}).pause()
    socket.write(requestOf('/docs', []).repeat(4))
    await until(() => ((raw[0]?.bytesWritten ?? 0) > 2_000_000 ? true : undefined))
    await untilCut(raw[0])
  })

  it('of the metrics is cut on their own port', async () => {
    const { node: measured } = await startListening({ METRICS_PORT: '0' })
    onTestFinished(() => measured.stop())
    const socket = connect(measured.metricsPort ?? 0, '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    let isClosed = false
    socket
      .on('error', () => {})
      .on('close', () => {
        isClosed = true
      })
    // More than the system takes, in many responses.
    const sending = setInterval(() => socket.write(requestOf('/metrics', []).repeat(50)), 5)
    onTestFinished(() => clearInterval(sending))
    await until(() => {
      clock.advance(1_000)
      return isClosed ? true : undefined
    })
  })
})
