import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderSettings {
  limit: { requests: number; perMs: number }
  sentAtMs: number
  /** The scans that exist for every parcel that long after it was sent. */
  journey: { afterMs: number; subtag: string }[]
}

export interface ProviderCounts {
  requests: number
  polls: number
  /** The most requests that one account made in any window of the limit. */
  mostInWindow: number
}

// The part of AfterShip that the service calls, in its own process: the service's load must not delay its counts.
const { limit, sentAtMs, journey } = JSON.parse(process.argv[3] ?? '') as ProviderSettings
const recent = new Map<string, number[]>()
const counts: ProviderCounts = { requests: 0, polls: 0, mostInWindow: 0 }
let offsetMs = 0

const server = createServer((request, response) => {
  const nowMs = Date.now() + offsetMs
  const account = String(request.headers['as-api-key'])
  const window = (recent.get(account) ?? []).filter((at) => at > nowMs - limit.perMs)
  window.push(nowMs)
  recent.set(account, window)
  const numbers = new URL(request.url ?? '', 'http://provider').searchParams.get('tracking_numbers')?.split(',') ?? []
  counts.requests += 1
  counts.polls += numbers.length
  counts.mostInWindow = Math.max(counts.mostInWindow, window.length)
  const checkpoints = journey
    .map(({ afterMs, subtag }) => ({ atMs: sentAtMs + afterMs, subtag }))
    .filter(({ atMs }) => atMs <= nowMs)
    .map(({ atMs, subtag }) => ({
      checkpoint_time: new Date(atMs).toISOString(),
      tag: subtag.split('_')[0],
      subtag,
    }))
  const trackings = numbers.map((number) => ({ tracking_number: number, slug: 'dhl-germany', checkpoints }))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ meta: {}, data: { trackings } }))
})
process.on('message', (message: { offsetMs?: number }) => {
  if (message.offsetMs !== undefined) offsetMs = message.offsetMs
  process.send?.(counts)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a path
  process.send?.({ port })
})

// Exits with its parent process.
process.on('disconnect', () => process.exit())
