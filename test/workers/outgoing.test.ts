import { spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIP, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { OutgoingError, type Stage } from '../../src/platform/outgoing/errors.ts'
import { createOutgoing, type OutgoingOptions } from '../../src/platform/outgoing/outgoing.ts'
import type { Service } from '../../src/service.ts'
import { findClosedPort, startLoopback, startProxy } from '../harness/loopback.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { makeFolder } from '../harness/process.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const guarded = { allowPrivate: false, proxyUrl: undefined }
const open = { allowPrivate: true, proxyUrl: undefined }

/** Calls an address once, with a body, as a delivery does. */
async function post(url: string, options: OutgoingOptions, limitMs = 5_000) {
  const outgoing = createOutgoing(options)
  try {
    return await outgoing.call({ method: 'POST', url, headers: {}, body: '{}', limitMs, maxBodyBytes: 1_024 })
  } finally {
    await outgoing.close()
  }
}

/** The stage at which a call fails, and its message. */
async function failure(url: string, options: OutgoingOptions, limitMs?: number): Promise<[Stage, string]> {
  try {
    const { status } = await post(url, options, limitMs)
    throw new Error(`it was answered ${status}`)
  } catch (error) {
    if (error instanceof OutgoingError) return [error.stage, error.message]
    throw error
  }
}

async function openReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

const portOf = ({ url }: Receiver) => new URL(url).port

type Lookup = (
  name: string,
  options: object,
  done: (error: null, addresses: { address: string; family: number }[]) => void,
) => void

/** Makes names under .example resolve to the given addresses, one list per lookup, the last one repeatedly. */
function resolveNames(...responses: string[][]): { lookups: () => number } {
  const original = dns.lookup as unknown as Lookup // the overload that is called here
  let lookups = 0
  const response: Lookup = (name, options, done) => {
    if (!name.endsWith('.example')) return original(name, options, done)
    const addresses = responses[Math.min(lookups, responses.length - 1)] ?? []
    lookups += 1
    return done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  }
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(response as unknown as typeof dns.lookup) // the same overload
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  return { lookups: () => lookups }
}

describe('call to a forbidden private address', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]', 'localhost', 'LOCALHOST'])(
    'is rejected before connecting: %s',
    async (host) => {
      const server = await startLoopback((socket) => socket.end())
      const [stage, message] = await failure(`http://${host}:${server.port}/hook`, guarded)
      expect(stage).toBe('connect')
      expect(message).toMatch(/is a private address, which is not called$/)
      expect(server.connections).toBe(0)
    },
  )

  it('is rejected over TLS too', async () => {
    const server = await startLoopback((socket) => socket.end())
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect((await failure(`https://${host}:${server.port}/`, guarded))[0]).toBe('connect')
    }
    expect(server.connections).toBe(0)
  })

  it('is rejected by the lookup of the connection itself, so that DNS rebinding has no effect', async () => {
    const server = await startLoopback((socket) => socket.end())
    const { lookups } = resolveNames(['127.0.0.1'])
    const steps: string[] = []
    const connecting = () => steps.push(`connecting after ${lookups()} lookups`)
    subscribe('undici:client:beforeConnect', connecting)
    onTestFinished(() => void unsubscribe('undici:client:beforeConnect', connecting))
    const [stage] = await failure(`http://changing.example:${server.port}/`, guarded)
    expect(stage).toBe('connect')
    expect(steps).toEqual(['connecting after 0 lookups'])
    expect(lookups()).toBe(1)
    expect(server.connections).toBe(0)
  })

  it('is rejected if only one of several addresses of a name is private', async () => {
    resolveNames(['8.8.8.8', '::ffff:10.0.0.1'])
    expect(await failure('http://mixed.example/', guarded)).toEqual([
      'connect',
      '::ffff:10.0.0.1 is a private address, which is not called',
    ])
  })

  it('is made if private addresses are allowed, by number and by name', async () => {
    const receiver = await openReceiver()
    expect((await post(`http://127.0.0.1:${portOf(receiver)}/`, open)).status).toBe(200)
    expect((await post(`http://localhost:${portOf(receiver)}/`, open)).status).toBe(200)
    expect(receiver.received).toHaveLength(2)
  })
})

describe('call', () => {
  it.each(['ftp://shop.example/', 'file:///etc/passwd', 'gopher://shop.example/', 'ws://shop.example/', 'data:,x'])(
    'is made over http and https only: %s',
    async (url) => {
      expect(await failure(url, open)).toEqual(['connect', expect.stringMatching(/addresses are not supported$/)])
    },
  )

  it('is not made to what is not an address', async () => {
    for (const url of ['', 'http://', 'http://[fe80::1%25lo]/', 'http://999.1.1.1/', 'http://a b/']) {
      expect((await failure(url, open))[0]).toBe('connect')
    }
  })

  it('follows no redirect', async () => {
    const [receiver, elsewhere] = [await openReceiver(), await openReceiver()]
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.respond = () => ({ status, headers: { location: elsewhere.url } })
      expect((await post(receiver.url, open)).status).toBe(status)
    }
    expect(elsewhere.received).toHaveLength(0)
  })

  it('reads no more of a response than requested', async () => {
    const receiver = await openReceiver()
    receiver.respond = () => ({ status: 200, body: 'x'.repeat(5_000_000) })
    expect((await post(receiver.url, open)).body).toBe('x'.repeat(1_024))
  })
})

describe('failed call names the stage', () => {
  it('resolve: the name does not exist', async () => {
    for (const options of [open, guarded])
      expect((await failure('http://nowhere.invalid/', options))[0]).toBe('resolve')
  })

  it('connect: nothing listens', async () => {
    expect((await failure(`http://127.0.0.1:${await findClosedPort()}/`, open))[0]).toBe('connect')
    expect((await failure(`http://localhost:${await findClosedPort()}/`, open))[0]).toBe('connect')
  })

  it('tls: the other side does not speak it', async () => {
    const plain = await startLoopback((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    expect((await failure(`https://127.0.0.1:${plain.port}/`, open))[0]).toBe('tls')
  })

  it('tls: the other side disconnects during the handshake', async () => {
    const cut = await startLoopback((socket) => socket.once('data', () => socket.destroy()))
    expect((await failure(`https://127.0.0.1:${cut.port}/`, open))[0]).toBe('tls')
  })

  it.skipIf(spawnSync('openssl', ['version']).status !== 0)(
    'tls: the certificate is self-signed or its chain is incomplete (needs openssl)',
    async () => {
      for (const certificate of makeCertificates()) {
        const server = createTlsServer(certificate, (socket) => socket.end())
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        onTestFinished(() => void server.close())
        const { port } = server.address() as { port: number } // it listens on a port, not on a path
        expect((await failure(`https://localhost:${port}/`, open))[0]).toBe('tls')
      }
    },
  )

  it('send: the connection is closed before the response, in the middle of it, and after something else', async () => {
    const ends: ((socket: Socket) => void)[] = [
      (socket) => void socket.destroy(),
      (socket) => void socket.resetAndDestroy(),
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
      (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
      (socket) => void socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`),
    ]
    for (const end of ends) {
      const server = await startLoopback((socket) => socket.once('data', () => end(socket)))
      expect((await failure(`http://127.0.0.1:${server.port}/`, open))[0]).toBe('send')
    }
  })

  it('timeout: the response is not complete in time, wherever it stops', async () => {
    const stops: string[] = ['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf']
    for (const text of stops) {
      const server = await startLoopback((socket) => socket.once('data', () => socket.write(text)))
      expect(await failure(`http://127.0.0.1:${server.port}/`, open, 300)).toEqual([
        'timeout',
        'no complete response within 0.3 s',
      ])
    }
    const silent = await startLoopback(() => {})
    expect((await failure(`https://127.0.0.1:${silent.port}/`, open, 300))[0]).toBe('timeout')
  })

  it('timeout: no stack trace is computed, which would delay other work', async () => {
    const silent = await startLoopback(() => {})
    const { prepareStackTrace } = Error
    onTestFinished(() => {
      Error.prepareStackTrace = prepareStackTrace
    })
    const stacks: string[] = []
    Error.prepareStackTrace = (error, frames) => {
      if (frames.some((frame) => frame.getFileName()?.includes('/src/platform/outgoing/'))) stacks.push(String(error))
      return String(error)
    }
    expect((await failure(`http://127.0.0.1:${silent.port}/`, open, 300))[0]).toBe('timeout')
    expect(stacks).toEqual([])
  })
})

describe('call through WEBHOOK_PROXY_URL', () => {
  it('goes through the proxy, which gets the name if private addresses are allowed', async () => {
    const receiver = await openReceiver()
    const proxy = await startProxy({ port: Number(portOf(receiver)) })
    const options = { allowPrivate: true, proxyUrl: `http://127.0.0.1:${proxy.port}` }
    expect((await post('http://shop.example/hook', options)).status).toBe(200)
    expect(proxy.targets).toEqual(['shop.example:80'])
    expect(receiver.received).toMatchObject([{ path: '/hook', headers: { host: 'shop.example' } }])
  })

  it('passes the proxy the checked address, not a name that could change', async () => {
    const receiver = await openReceiver()
    const { lookups } = resolveNames(['93.184.215.14'], ['127.0.0.1'])
    const proxy = await startProxy({ port: Number(portOf(receiver)) })
    const options = { allowPrivate: false, proxyUrl: `http://127.0.0.1:${proxy.port}` }
    expect((await post('http://changing.example:8080/hook', options)).status).toBe(200)
    expect(proxy.targets).toEqual(['93.184.215.14:8080'])
    expect(lookups()).toBe(1)
    expect(receiver.received).toMatchObject([{ headers: { host: 'changing.example:8080' } }])
  })

  it('still checks the certificate by the name', async () => {
    resolveNames(['93.184.215.14'])
    let hello = ''
    const target = await startLoopback((socket) =>
      socket.once('data', (data) => {
        hello = data.toString('latin1')
        socket.destroy()
      }),
    )
    const proxy = await startProxy({ port: target.port })
    const options = { allowPrivate: false, proxyUrl: `http://127.0.0.1:${proxy.port}` }
    expect((await failure('https://named.example/', options))[0]).toBe('tls')
    expect(proxy.targets).toEqual(['93.184.215.14:443'])
    expect(hello).toContain('named.example')
  })

  it('is rejected for a private address before the proxy is called', async () => {
    const proxy = await startProxy({ rejection: '500 No' })
    const options = { allowPrivate: false, proxyUrl: `http://127.0.0.1:${proxy.port}` }
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.1.2.3']) {
      expect((await failure(`http://${host}/`, options))[0]).toBe('connect')
    }
    expect(proxy.connections).toBe(0)
  })

  it('fails at connecting if the proxy rejects or is unavailable', async () => {
    const proxy = await startProxy({ rejection: '502 Bad Gateway' })
    for (const port of [proxy.port, await findClosedPort()]) {
      const options = { allowPrivate: true, proxyUrl: `http://127.0.0.1:${port}` }
      expect((await failure('http://shop.example/', options))[0]).toBe('connect')
    }
  })
})

describe("Brevo's calls", () => {
  it('go through the proxy only if the shop has set that', async () => {
    const brevo = await openReceiver()
    const proxy = await startProxy({ port: Number(portOf(brevo)) })
    const service = await startTestService(
      { WEBHOOK_ALLOW_PRIVATE: 'on', WEBHOOK_PROXY_URL: `http://127.0.0.1:${proxy.port}` },
      await openTestDatabase(),
      { integrationUrls: { brevo: brevo.url } },
    )
    onTestFinished(() => service.stop())
    const shop = (await makeShop({}, service)).as('admin')
    await shop.put('/keys/brevo', { api_key: 'a-key-of-the-merchant' })
    const sendOne = async (use_proxy: boolean | undefined) => {
      await shop.patch('/settings/triggers/brevo', { status: true, use_proxy })
      await createOrder(shop, { order_placed_at: undefined })
      await service.workers?.deliveries.sweep()
      await service.workers?.deliveries.idle()
      return [brevo.received.length, proxy.targets.length]
    }
    expect(await sendOne(undefined)).toEqual([1, 0])
    expect(await sendOne(true)).toEqual([2, 1])
    expect((await shop.get('/settings/bundle')).body.triggers.data.brevo.use_proxy).toBe(true)
    expect(await sendOne(false)).toEqual([3, 1])
  })
})

describe('service that does not allow private addresses', () => {
  it('rejects them for events, test events, and integration addresses that a merchant enters', async () => {
    const server = await startLoopback((socket) => socket.end())
    const address = `http://127.0.0.1:${server.port}`
    const { service, shop } = await startGuarded(address)
    const trackingNumber = uniqueNumber('G')
    const order = { order_placed_at: undefined, external_id: '4711', external_customer_id: 'ada' }
    const { trackings } = await createOrder(shop, order, [{ tracking_number: trackingNumber }])
    const endpoints = await Promise.all(
      [address, `http://localhost:${server.port}`].map(async (url) => (await shop.post('/webhooks', { url })).body),
    )
    await shop.put('/keys/braze', { api_key: 'a-key-of-the-merchant' })
    await shop.put('/keys/shopify', { api_key: 'a-key-of-the-merchant' })
    await shop.patch('/settings/triggers/braze', { status: true, rest_endpoint: address })
    await shop.patch('/settings/triggers/shopify', { status: true })
    await shop.post('/shipment-events?notify=true', { id: trackingNumber, event_name: 'OUT_FOR_DELIVERY' })
    const tests = await Promise.all(
      endpoints.map(async ({ uuid }) => (await shop.post(`/webhooks/${uuid}/test`)).body.uuid),
    )
    await service.workers?.deliveries.sweep()
    await service.workers?.deliveries.idle()
    const { body: timeline } = await shop.get(`/shipments/${trackings[0].id}/timeline`)
    const scan = timeline.events.at(-1).notifications.flatMap(({ deliveries }: { deliveries: Tried[] }) => deliveries)
    const made: Tried[] = await Promise.all(tests.map(async (uuid) => (await shop.get(`/deliveries/${uuid}`)).body))
    const tried: Tried[] = [...scan, ...made]
    const targets = tried.map(({ webhook_id, integration }) => webhook_id ?? integration)
    const uuids = endpoints.map(({ uuid }) => uuid)
    expect(targets.sort()).toEqual([...uuids, ...uuids, 'braze', 'shopify'].sort())
    for (const { attempts } of tried) {
      expect(attempts).toMatchObject([
        { stage: 'connect', status_code: null, error: '127.0.0.1 is a private address, which is not called' },
      ])
    }
    expect(server.connections).toBe(0)
  })
})

/** A service with the guard on, and a shop in it whose system is at the given address. */
async function startGuarded(shopUrl: string): Promise<{ service: Service; shop: ShopCaller }> {
  const service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'off' }, await openTestDatabase())
  onTestFinished(() => service.stop())
  return { service, shop: (await makeShop({ shop_admin_url: shopUrl }, service)).as('admin') }
}

/** A delivery as the API shows it. */
interface Tried {
  webhook_id: string | null
  integration: string | null
  attempts: unknown[]
}

/** A self-signed certificate, and one without its issuer. */
function makeCertificates(): { cert: Buffer; key: Buffer }[] {
  const folder = makeFolder()
  const file = (name: string) => join(folder, name)
  const openssl = (...words: string[]) => {
    const { status, stderr } = spawnSync('openssl', words)
    expect(status, String(stderr)).toBe(0)
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  openssl('req', '-x509', ...key, '-subj', '/CN=Signer', '-keyout', file('signer.key'), '-out', file('signer.pem'))
  openssl(
    'req',
    '-x509',
    ...key,
    '-subj',
    '/CN=localhost',
    ...names,
    '-keyout',
    file('own.key'),
    '-out',
    file('own.pem'),
  )
  openssl('req', ...key, '-subj', '/CN=localhost', ...names, '-keyout', file('signed.key'), '-out', file('signed.csr'))
  const signer = [
    '-CA',
    file('signer.pem'),
    '-CAkey',
    file('signer.key'),
    '-CAcreateserial',
    '-copy_extensions',
    'copy',
  ]
  openssl('x509', '-req', '-in', file('signed.csr'), ...signer, '-out', file('signed.pem'))
  return ['own', 'signed'].map((name) => ({
    cert: readFileSync(file(`${name}.pem`)),
    key: readFileSync(file(`${name}.key`)),
  }))
}
