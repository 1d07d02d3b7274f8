import { createHmac } from 'node:crypto'
import { type Receiver, startReceiver } from './receiver.ts'

export interface Checkpoint {
  at: Date
  /** AfterShip's code. */
  subtag: string
  message?: string
}

/** The part of AfterShip that tracks parcels: it has the registered parcels and their scans. */
export interface AfterShip extends Receiver {
  /** The registered numbers, one entry per registration. */
  registered: string[]
  /** The polled numbers, request by request. */
  polled: string[][]
  /** Numbers that were polled again while the first request was still in flight. */
  polledTwice: string[]
  scans: Map<string, Checkpoint[]>
  /** The error response for all requests while this is set. */
  failure: { status: number; headers?: Record<string, string> } | undefined
  /** Its response time. */
  respondsAfterMs: number
}

export const aftershipKeys = { api_key: 'asat_key-of-the-tests', webhook_secret: 'hook-secret-of-the-tests' }

export async function startAfterShip(): Promise<AfterShip> {
  const server = (await startReceiver()) as AfterShip // the rest follows below
  const inFlight = new Map<string, number>()
  server.registered = []
  server.polled = []
  server.polledTwice = []
  server.scans = new Map()
  server.failure = undefined
  server.respondsAfterMs = 0
  server.respond = ({ path, body }) => {
    const url = new URL(path, 'http://aftership.example')
    const numbers = body ? [body.tracking_number] : (url.searchParams.get('tracking_numbers') ?? '').split(',')
    if (body) server.registered.push(body.tracking_number)
    else server.polled.push(numbers)
    for (const number of numbers) {
      if (inFlight.has(number)) server.polledTwice.push(number)
      inFlight.set(number, (inFlight.get(number) ?? 0) + 1)
    }
    setTimeout(() => {
      for (const number of numbers) inFlight.delete(number)
    }, server.respondsAfterMs)
    if (server.failure)
      return { ...server.failure, body: '{"meta":{"message":"not now"}}', afterMs: server.respondsAfterMs }
    const data = body
      ? { id: `id-${body.tracking_number}` }
      : { trackings: numbers.map((number) => trackingOf(server, number)) }
    return {
      status: body ? 201 : 200,
      body: JSON.stringify({ meta: { code: 200 }, data }),
      afterMs: server.respondsAfterMs,
    }
  }
  return server
}

/** A tracking as AfterShip returns and pushes it. */
function trackingOf(server: AfterShip, number: string) {
  return {
    tracking_number: number,
    slug: 'dhl-germany',
    destination_country_region: 'DEU',
    checkpoints: (server.scans.get(number) ?? []).map(toCheckpoint),
  }
}

function toCheckpoint({ at, subtag, message }: Checkpoint) {
  return {
    checkpoint_time: at.toISOString().replace(/\.\d+Z$/, '+00:00'),
    tag: subtag.split('_')[0],
    subtag,
    message: message ?? subtag,
    city: 'Leipzig',
    country_region: 'DEU',
  }
}

/** A message as AfterShip signs and pushes it. */
export function pushOf(
  number: string,
  checkpoints: Checkpoint[],
  secret = aftershipKeys.webhook_secret,
  more: Record<string, unknown> = {},
) {
  const payload = JSON.stringify({
    event: 'tracking_update',
    msg: { tracking_number: number, slug: 'dhl-germany', checkpoints: checkpoints.map(toCheckpoint), ...more },
  })
  const signature = createHmac('sha256', secret).update(payload).digest('base64')
  return { payload, headers: { 'content-type': 'application/json', 'aftership-hmac-sha256': signature } }
}
