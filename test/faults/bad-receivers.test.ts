import { readFileSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attemptLimitMs } from '../../src/delivery/queue/retry.ts'
import { startLoopback } from '../harness/loopback.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { callApi, makeShop, makeStore, operator, type RunningProcess, start } from '../harness/process.ts'
import { startReceiver } from '../harness/receiver.ts'

const parcels = 20
const megabyte = 1_000_000

interface Attempt {
  stage: string | null
  status_code: number | null
  answer: string | null
}

/** The handling of a connection by each kind of receiver, and the expected status of its deliveries. */
const kinds: Record<string, { handle: (socket: Socket) => void; stage: string | null }> = {
  'hangs for ever': { handle: () => {}, stage: 'timeout' },
  'drips its headers': {
    handle: (socket) => drip(socket, `HTTP/1.1 200 OK\r\nX-Slow: ${'x'.repeat(1_000)}\r\n\r\n`),
    stage: 'timeout',
  },
  'drips its answer': {
    handle: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
      drip(socket, 'x'.repeat(1_000))
    },
    stage: 'timeout',
  },
  'closes in the middle of its answer': {
    handle: (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf'),
    stage: 'send',
  },
  'answers 100 MB': {
    handle: (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n', 100 * megabyte),
    stage: null,
  },
  'answers 100 MB of headers': {
    handle: (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nX-Long: ', 100 * megabyte),
    stage: 'send',
  },
}

describe('receivers that misbehave', () => {
  it('use bounded time and memory, and do not delay the others', async () => {
    const service = await start({ DATA_DIR: await makeStore(), LOG_LEVEL: 'warn' }, { hasMovableClock: true })
    await makeShop(service, operator, 'faults')
    const numbers = Array.from({ length: parcels }, () => uniqueNumber('B'))
    for (const number of numbers) {
      const order = upsertOf(number, { order_placed_at: undefined }, [{ tracking_number: number }])
      expect((await call(service, 'PUT', '/orders', order)).status).toBe(200)
    }
    const well = await startReceiver()
    onTestFinished(() => well.close())
    await listen(service, well.url)
    const endpoints = await Promise.all(
      Object.entries(kinds).map(async ([name, kind]) => {
        const server = await startLoopback((socket) => socket.once('data', () => kind.handle(socket)))
        return { name, ...kind, server, uuid: await listen(service, `http://127.0.0.1:${server.port}`) }
      }),
    )
    forgetPeak(service)
    const before = memoryOf(service, 'VmRSS')
    const post = (id: string) =>
      call(service, 'POST', '/shipment-events?notify=true', { id, event_name: 'OUT_FOR_DELIVERY' })
    for (const { status } of await Promise.all(numbers.map(post))) expect(status).toBe(200)
    await well.until(parcels)
    const timeouts = endpoints.filter(({ stage }) => stage === 'timeout')
    for (const { uuid } of timeouts) expect(await attemptsOf(service, uuid), 'the well one did not wait').toEqual([])
    for (const { server } of timeouts) await until(() => (server.connections > 0 ? true : undefined))
    const checkAttempts = async ({ name, uuid, stage }: (typeof endpoints)[number]) => {
      const attempts = await until(async () => {
        const found = await attemptsOf(service, uuid)
        return found.length > 0 ? found : undefined
      })
      for (const attempt of attempts) {
        expect(attempt, name).toMatchObject({ stage })
        if (stage === null) expect(attempt, name).toMatchObject({ status_code: 200, answer: 'x'.repeat(1_024) })
      }
    }
    // The others end by themselves. They are checked first, because the moved clock ends whatever is in flight.
    for (const endpoint of endpoints) if (endpoint.stage !== 'timeout') await checkAttempts(endpoint)
    await service.advance(attemptLimitMs)
    for (const endpoint of timeouts) await checkAttempts(endpoint)
    const grownBy = memoryOf(service, 'VmHWM') - before
    console.log(`peak memory grew by ${Math.round(grownBy / megabyte)} MB`)
    expect(grownBy).toBeLessThan(150 * megabyte)
    expect(well.received).toHaveLength(parcels)
  })
})

function call(service: RunningProcess, method: string, path: string, body?: unknown) {
  return callApi(service, operator, `${method} /v1/shops/faults${path}`, { body })
}

async function listen(service: RunningProcess, url: string): Promise<string> {
  const { status, body } = await call(service, 'POST', '/webhooks', { url })
  expect(status).toBe(200)
  return (body as { uuid: string }).uuid // as the schema of the response has it
}

async function attemptsOf(service: RunningProcess, uuid: string): Promise<Attempt[]> {
  const { body } = await call(service, 'GET', `/webhooks/${uuid}/deliveries`)
  return (body as { attempts: Attempt[] }[]).flatMap(({ attempts }) => attempts) // as the schema of the response has it
}

/** A byte every tenth of a second. */
function drip(socket: Socket, text: string): void {
  let sent = 0
  const timer = setInterval(() => socket.write(text[sent++ % text.length] ?? ''), 100)
  socket.once('close', () => clearInterval(timer))
}

/** As much as the other side reads, up to that many bytes. */
function flood(socket: Socket, head: string, bytes: number): void {
  const chunk = Buffer.alloc(65_536, 'x')
  let left = bytes
  const write = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length
      if (!socket.write(chunk)) {
        socket.once('drain', write)
        return
      }
    }
    socket.end()
  }
  socket.write(head)
  write()
}

/** Memory of a process in bytes, now or at its peak; 0 if the system does not report it. */
function memoryOf({ child }: RunningProcess, field: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return 0
  const [, kilobytes] =
    new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

/** Resets the peak: a start needs more memory than anything after it. */
function forgetPeak({ child }: RunningProcess): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
}
