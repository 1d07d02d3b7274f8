import { connect, type Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bodyLimits, IncomingBodies, type PoolLimits, type Sender } from '../../src/http/incoming-bodies.ts'
import { looksPerWindow, minBytesPerLook } from '../../src/http/incoming-body.ts'
import { reportError } from '../../src/http/report-error.ts'
import { closeOnUnreadBody, smallBodyBytes } from '../../src/http/unread-bodies.ts'
import { noMetrics } from '../../src/platform/foundation/metrics.ts'
import { until } from '../harness/patience.ts'

const megabyte = 1_000_000
const pieceBytes = 16_384

interface Sending {
  socket: Socket
  /** Its first line, once it has come. */
  status: () => string | undefined
}

/** A server that reads whole bodies of up to 10 MB, and handles none of them before `release`. */
async function listen(signed: PoolLimits, sender: Sender = { pool: 'signed', shop: 'a' }) {
  let nowMs = 1_000
  const bodies = new IncomingBodies({ metrics: noMetrics, limits: { ...bodyLimits, signed }, nowMs: () => nowMs })
  const passMs = (ms: number) => {
    nowMs += ms
  }
  const app: FastifyInstance = fastify({ bodyLimit: 10 * megabyte })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  closeOnUnreadBody(app)
  app.setErrorHandler(reportError)
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Querystring: { shop?: string } }>('/', {
    async onRequest(request, reply) {
      bodies.admit(request, reply, { ...sender, ...request.query })
    },
    async handler() {
      await released
      return 'ok'
    },
  })
  await app.listen({ port: 0, host: '0.0.0.0' })
  const { port } = app.server.address() as { port: number } // it listens on a port
  const sockets: Socket[] = []
  onTestFinished(async () => {
    release()
    for (const socket of sockets) socket.destroy()
    await app.close()
  })

  /** Sends a head, and a part of the body. */
  async function send(from: string, part: Buffer | string, header: string, path = '/'): Promise<Sending> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    sockets.push(socket)
    let text = ''
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        text += chunk
      })
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(`POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\n${header}\r\n\r\n`)
    socket.write(part)
    return { socket, status: () => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] }
  }
  const places = (group: 'network' | 'shop' | 'all' = 'all', subject = '') =>
    bodies.countOf('signed', group, subject).places
  const bytes = () => bodies.countOf('signed', 'all').bytes
  const untilPlaces = (count: number) => until(() => (places() === count ? true : undefined))
  return { bodies, send, places, bytes, untilPlaces, release, passMs }
}

const announced = (bytes: number) => `Content-Length: ${bytes}`
const chunked = 'Transfer-Encoding: chunked'
const statusOf = (sending: Sending) => until(sending.status)

function limits(all: number, network: number, shop = all, slowBytesPerMs = 16): PoolLimits {
  const bytes = { all: 64 * megabyte, each: { network: 64 * megabyte, shop: 64 * megabyte, link: 64 * megabyte } }
  return { places: { all, each: { network, shop, link: all } }, bytes, slowBytesPerMs }
}

describe('place for a large body', () => {
  it('is not needed by a chunked body before it is large', async () => {
    const { send, places, bytes, untilPlaces } = await listen(limits(1, 1))
    const small = await Promise.all(Array.from({ length: 20 }, () => send('127.0.1.1', '2\r\nab\r\n', chunked)))
    await until(() => (bytes() === 20 * pieceBytes ? true : undefined))
    expect([places(), small.filter(({ status }) => status() !== undefined)]).toEqual([0, []])
    const growing = await send('127.0.2.1', chunk(smallBodyBytes), chunked)
    await until(() => (bytes() === 20 * pieceBytes + smallBodyBytes ? true : undefined))
    expect(places()).toBe(0)
    growing.socket.write(chunk(1))
    await untilPlaces(1)
    expect(places('network', '127.0.2')).toBe(1)
  })

  it('is given to few of one network, and the slowest of it makes room', async () => {
    const { send, places, untilPlaces, passMs } = await listen(limits(10, 3))
    const slow: Sending[] = []
    for (let index = 0; index < 3; index += 1) {
      slow.push(await send(`127.0.1.${index + 1}`, 'x', announced(megabyte)))
      await untilPlaces(index + 1)
      passMs(10)
    }
    const other = await send('127.0.2.1', 'x', announced(megabyte))
    await untilPlaces(4)
    const next = await send('127.0.1.9', 'x', announced(megabyte))
    expect(await statusOf(slow[0] as Sending)).toBe('408')
    expect([places('network', '127.0.1'), places('network', '127.0.2')]).toEqual([3, 1])
    expect([...slow.slice(1), other, next].map(({ status }) => status())).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is kept by callers that send fast, also from the network with most', async () => {
    const { send, places, untilPlaces, bytes, passMs } = await listen(limits(4, 3))
    const fast = await Promise.all(
      [1, 2, 3].map((host) => send(`127.0.1.${host}`, Buffer.alloc(megabyte), announced(5 * megabyte))),
    )
    await until(() => (bytes() > 3 * megabyte ? true : undefined))
    expect(await statusOf(await send('127.0.1.9', 'x', announced(megabyte)))).toBe('429')
    const slow = await send('127.0.2.1', 'x', announced(megabyte))
    await untilPlaces(4)
    passMs(10)
    const next = await send('127.0.3.1', 'x', announced(megabyte))
    expect(await statusOf(slow)).toBe('408')
    expect([...fast, next].map(({ status }) => status())).toEqual([undefined, undefined, undefined, undefined])
    expect(places()).toBe(4)
  })

  it('is made by the network with most if nobody is slow', async () => {
    const { send, bytes } = await listen(limits(3, 3))
    const many = await Promise.all(
      [1, 2, 3].map((host) => send(`127.0.1.${host}`, Buffer.alloc(megabyte), announced(5 * megabyte))),
    )
    await until(() => (bytes() > 3 * megabyte ? true : undefined))
    const other = await send('127.0.2.1', Buffer.alloc(megabyte), announced(megabyte))
    await until(() => (many.filter(({ status }) => status() === '408').length === 1 ? true : undefined))
    expect(other.status()).toBeUndefined()
  })

  it('is lost half a second after a fast body has stopped', async () => {
    const { send, bytes, passMs } = await listen(limits(1, 1))
    const stopped = await send('127.0.1.1', Buffer.alloc(4 * megabyte), announced(5 * megabyte))
    await until(() => (bytes() >= 4 * megabyte ? true : undefined))
    passMs(400)
    expect(await statusOf(await send('127.0.2.1', 'x', announced(megabyte)))).toBe('429')
    passMs(200)
    const next = await send('127.0.2.1', 'x', announced(megabyte))
    expect(await statusOf(stopped)).toBe('408')
    expect(next.status()).toBeUndefined()
  })

  it('of one shop is not taken by another', async () => {
    const { send, places, untilPlaces, passMs } = await listen(limits(4, 4, 2))
    const ofA = [await send('127.0.1.1', 'x', announced(megabyte)), await send('127.0.2.1', 'x', announced(megabyte))]
    await untilPlaces(2)
    const ofB = await send('127.0.3.1', 'x', announced(megabyte), '/?shop=b')
    await untilPlaces(3)
    passMs(10)
    await send('127.0.4.1', 'x', announced(megabyte))
    await until(() => ofA.find(({ status }) => status() === '408'))
    expect([places('shop', 'a'), places('shop', 'b'), ofB.status()]).toEqual([2, 1, undefined])
  })

  it('is given back when the body has arrived, and its bytes when it has been handled', async () => {
    const { send, places, bytes, release } = await listen(limits(1, 1))
    for (const host of [1, 2, 3]) await send(`127.0.1.${host}`, Buffer.alloc(100_000), announced(100_000))
    await until(() => (bytes() >= 300_000 && places() === 0 ? true : undefined))
    release()
    await until(() => (bytes() === 0 ? true : undefined))
  })
})

describe('bytes of bodies that wait', () => {
  it('stay below their limit, however much is sent', async () => {
    const mostBytes = 4 * megabyte
    const each = { network: 2 * megabyte, shop: mostBytes, link: mostBytes }
    const { send, bytes, bodies } = await listen({ ...limits(100, 100), bytes: { all: mostBytes, each } })
    let highest = 0
    let highestOfOne = 0
    const look = () => {
      highest = Math.max(highest, bytes())
      highestOfOne = Math.max(highestOfOne, bodies.countOf('signed', 'network', '127.0.1').bytes)
    }
    const sending = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        send(`127.0.${(index % 4) + 1}.1`, Buffer.alloc(megabyte), announced(2 * megabyte)),
      ),
    )
    await until(() => {
      look()
      return sending.filter(({ status }) => status() === undefined).length <= 4 ? true : undefined
    })
    expect(highest).toBeGreaterThan(3 * megabyte)
    expect(highest).toBeLessThanOrEqual(mostBytes)
    expect(highestOfOne).toBeLessThanOrEqual(2 * megabyte)
    expect(new Set(sending.map(({ status }) => status()))).toEqual(new Set([undefined, '408', '429']))
  })
})

describe('slow body', () => {
  const look = (bodies: IncomingBodies, times: number) => {
    for (let index = 0; index < times; index += 1) bodies.look()
  }

  it('is cut if too little of it arrives in a window', async () => {
    const { send, bodies, bytes, untilPlaces } = await listen(limits(10, 10))
    const idle = await send('127.0.1.1', 'x', announced(megabyte))
    const small = await send('127.0.1.1', 'x', announced(10))
    const steady = await send('127.0.1.1', 'x', announced(megabyte))
    await untilPlaces(2)
    await until(() => (bytes() === 3 * pieceBytes ? true : undefined))
    for (const window of [1, 2, 3]) {
      const before = bytes()
      steady.socket.write(Buffer.alloc(minBytesPerLook * looksPerWindow + pieceBytes))
      await until(() => (bytes() > before ? true : undefined))
      look(bodies, looksPerWindow - 1)
      if (window === 1) expect([idle, small].map(({ status }) => status())).toEqual([undefined, undefined])
      look(bodies, 1)
      if (window === 1) expect([await statusOf(idle), await statusOf(small)]).toEqual(['408', '408'])
    }
    expect(steady.status()).toBeUndefined()
    await untilPlaces(1)
    await until(() => (idle.socket.destroyed && small.socket.destroyed ? true : undefined))
  })

  it('is not what has arrived but waits to be handled', async () => {
    const { send, bodies, bytes, release } = await listen(limits(10, 10))
    const done = await send('127.0.1.1', Buffer.alloc(100_000), announced(100_000))
    await until(() => (bytes() >= 100_000 ? true : undefined))
    await until(() => (bodies.countOf('signed', 'all').places === 0 ? true : undefined))
    look(bodies, 3 * looksPerWindow)
    release()
    expect(await statusOf(done)).toBe('200')
  })
})

function chunk(bytes: number): string {
  return `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`
}
