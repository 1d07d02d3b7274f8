import { connect } from 'node:net'
import type { Dataset } from './dataset.ts'
import { type Kind, type KindName, kinds, type Request } from './requests.ts'
import { authorization } from './service.ts'

/** The requests to send, and for how long. */
export interface Drive {
  port: number
  kind: KindName
  dataset: Omit<Dataset, 'now'> & { now: string }
  connections: number
  seconds: number
  /** The orders to use: at random, or one after the other if each may be used only once. */
  from: number
  count: number
}

export interface Driven {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Responses other than 2xx. A result with any of these is invalid. */
  failures: number
  firstFailure: string | undefined
  /** Processor time of this process per request. */
  ownMicroseconds: number
}

// In its own process, over bare sockets: a client library would use as much processor time as the service.
process.on('message', (drive: Drive) => {
  run(drive).then((driven) => process.send?.(driven))
})

async function run(drive: Drive): Promise<Driven> {
  const next = requestsOf(drive)
  const timesMs: number[] = []
  const failures: string[] = []
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  const until = startedAt + drive.seconds * 1_000
  await Promise.all(
    Array.from({ length: drive.connections }, () => useConnection(drive.port, next, until, { timesMs, failures })),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  timesMs.sort((left, right) => left - right)
  const quantile = (share: number) => timesMs[Math.floor((timesMs.length - 1) * share)] ?? Number.NaN
  return {
    requests: timesMs.length,
    seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    failures: failures.length,
    firstFailure: failures[0],
    ownMicroseconds: (user + system) / timesMs.length,
  }
}

/** Returns the bytes of the next request, or undefined if none is left. */
function requestsOf(drive: Drive): () => string | undefined {
  const kind: Kind = kinds[drive.kind]
  const dataset = { ...drive.dataset, now: new Date(drive.dataset.now) }
  const startedAt = Date.now()
  let sent = 0
  return () => {
    if (kind.about !== 'orders' && sent >= drive.count) return undefined
    const offset = kind.about === 'orders' ? Math.floor(Math.random() * drive.count) : sent
    sent += 1
    // Each is a millisecond later than the one before, so that no two are the same event.
    return toBytes(kind.request(dataset, drive.from + offset, new Date(startedAt + sent)))
  }
}

function toBytes({ method, path, body }: Request): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n`
  if (body === undefined) return `${head}\r\n`
  const text = JSON.stringify(body)
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** One keep-alive connection: a request, its response, the next request. */
function useConnection(
  port: number,
  next: () => string | undefined,
  until: number,
  { timesMs, failures }: { timesMs: number[]; failures: string[] },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let left = 0
    const send = () => {
      const bytes = performance.now() < until ? next() : undefined
      if (bytes === undefined) {
        socket.end()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(bytes)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      left = left > 0 ? left - chunk.length : lengthOf(chunk, failures) - chunk.length
      if (left > 0) return
      timesMs.push(performance.now() - sentAt)
      send()
    })
  })
}

/** The length of the response that begins here. Its head arrives in one piece, because it is small. */
function lengthOf(chunk: Buffer, failures: string[]): number {
  const headLength = chunk.indexOf('\r\n\r\n') + 4
  const head = chunk.toString('latin1', 0, headLength)
  if (!head.startsWith('HTTP/1.1 2')) failures.push(chunk.toString('utf8'))
  return headLength + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
}
