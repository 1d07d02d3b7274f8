import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { maxStallMs, StalledOutput } from '../../src/http/stalled-output.ts'
import { boundUnread, UnreadOutput } from '../../src/http/unread-output.ts'
import { noMetrics } from '../../src/platform/foundation/metrics.ts'
import { Shares } from '../../src/platform/foundation/shares.ts'
import { MovableClock } from '../harness/clock.ts'
import { until } from '../harness/patience.ts'

const megabyte = 1_000_000

async function listen(server: Server): Promise<number> {
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return (server.address() as { port: number }).port // it listens on a port
}

function open(port: number, from = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from }).pause()
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
  return socket
}

describe('the watch of connections', () => {
  it('cuts a client that takes nothing for 30 s, and never one that takes a little', async () => {
    const clock = new MovableClock()
    const stalled = new StalledOutput({ clock, metrics: noMetrics })
    const server = createServer((_request, response) => void response.end(Buffer.alloc(60 * megabyte)))
    let accepted: Socket | undefined
    server.on('connection', (socket: Socket) => {
      accepted = socket
    })
    stalled.watch(server)
    const client = open(await listen(server))
    const looks = () => (accepted ? stalled.looksWithoutProgress(accepted) : 0)
    let received = 0
    for (let round = 0; round < 5; round += 1) {
      const goal = received + 8 * megabyte
      while (received < goal) {
        const chunk = client.read() as Buffer | null
        if (chunk === null) await new Promise((resolve) => setImmediate(resolve))
        received += chunk?.length ?? 0
      }
      await until(() => {
        stalled.look()
        return looks() >= 3 ? true : undefined
      })
      clock.advance(0.9 * maxStallMs)
      stalled.look()
      expect(accepted?.destroyed).toBe(false)
    }
    clock.advance(0.2 * maxStallMs)
    stalled.look()
    expect(accepted?.destroyed).toBe(true)
  })

  it('leaves a connection alone on which nothing waits', async () => {
    const clock = new MovableClock()
    const stalled = new StalledOutput({ clock, metrics: noMetrics })
    const accepted: Socket[] = []
    const server = createServer((_request, response) => void response.write('data: 1\n\n'))
    server.on('connection', (socket: Socket) => accepted.push(socket))
    stalled.watch(server)
    const client = open(await listen(server)).resume()
    await new Promise((resolve) => client.once('data', resolve))
    for (let look = 0; look < 10; look += 1) {
      clock.advance(maxStallMs)
      stalled.look()
    }
    expect(accepted.map(({ destroyed }) => destroyed)).toEqual([false])
  })
})

describe('the bytes that are not read', () => {
  const each = 20 * megabyte

  async function start(limits: { all: number; network: number }) {
    const stalled = new StalledOutput({ clock: new MovableClock(), metrics: noMetrics })
    const unread = new UnreadOutput({
      stalled,
      metrics: noMetrics,
      limits: { all: limits.all, each: { network: limits.network } },
    })
    const app = fastify()
    boundUnread(app, unread)
    app.get('/', async () => Buffer.alloc(each))
    app.get('/small', async () => 'ok')
    stalled.watch(app.server)
    await app.ready()
    const port = await listen(app.server)
    /** The status of a response whose body is not read; 0 if the connection is cut before. */
    const get = async (from: string) => {
      const socket = open(port, from)
      const head = await new Promise<string>((resolve) => {
        socket.once('close', () => resolve(''))
        socket.once('readable', () => resolve(String(socket.read(12))))
      })
      return { status: Number(head.split(' ')[1] ?? 0), socket }
    }
    const lookTwice = () => {
      for (let look = 0; look < 2; look += 1) stalled.look()
    }
    return { unread, get, lookTwice, app }
  }

  const gone = (socket: Socket) => {
    socket.resume()
    return until(() => (socket.destroyed ? true : undefined))
  }

  it('are limited per network: the first that takes nothing makes room', async () => {
    const { unread, get, lookTwice } = await start({ all: 10 * each, network: 2 * each })
    const first = await get('127.0.1.1')
    const second = await get('127.0.1.2')
    expect([first.status, second.status, unread.bytes]).toEqual([200, 200, 2 * each])
    // Nobody is known to have stopped reading yet.
    expect((await get('127.0.1.3')).status).toBe(429)
    expect((await get('127.0.2.1')).status).toBe(200)
    lookTwice()
    expect((await get('127.0.1.3')).status).toBe(200)
    await gone(first.socket)
    expect(second.socket.destroyed).toBe(false)
    expect(unread.bytes).toBe(3 * each)
  })

  it('of all networks are limited: the one with most makes room', async () => {
    const { unread, get } = await start({ all: 4 * each, network: 3 * each })
    const hostile = [await get('127.0.1.1'), await get('127.0.1.2'), await get('127.0.1.3')]
    await get('127.0.2.1')
    const served = await get('127.0.3.1')
    expect(served.status).toBe(200)
    await gone(hostile[0]?.socket as Socket) // three were opened
    expect(unread.bytes).toBe(4 * each)
  })

  it('are given back when they have been read, and when the client leaves', async () => {
    const { unread, get, app } = await start({ all: 3 * each, network: each / 2 })
    const reading = await get('127.0.1.1')
    expect(unread.bytes).toBe(each / 2)
    reading.socket.resume()
    await until(() => (unread.bytes === 0 ? true : undefined))
    const leaving = await get('127.0.1.1')
    leaving.socket.destroy()
    await until(() => (unread.bytes === 0 ? true : undefined))
    expect((await app.inject('/')).rawPayload.length).toBe(each)
    await until(() => (unread.bytes === 0 ? true : undefined))
    expect((await app.inject('/small')).payload).toBe('ok')
  })
})

it('several places can be taken at once', () => {
  const shares = new Shares({ all: 10, each: { shop: 6 } })
  const place = shares.take({ shop: 'a' }, 4)
  expect(shares.take({ shop: 'a' }, 3)).toBe('shop')
  expect(shares.take({ shop: 'b' }, 6)).toHaveProperty('giveBack')
  expect(shares.take({ shop: 'c' }, 1)).toBe('all')
  if (typeof place !== 'string') place.giveBack()
  expect([shares.count, shares.countOf('shop', 'a')]).toEqual([6, 0])
})
