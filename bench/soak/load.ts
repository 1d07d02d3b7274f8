import { shippedOrder } from '../lib/dataset.ts'
import { authorization } from '../lib/service.ts'
import { journey, type RequestKind, requestKinds, type Step } from './mix.ts'

/** A message of the parent: begin; report everything since the last report; or stop, and report the rest. */
export type LoadCommand =
  | { type: 'begin'; port: number; slugs: string[]; ordersPerSecond: number; run: string }
  | { type: 'report' }
  | { type: 'stop' }

export interface LoadReport {
  /** Milliseconds of each request since the last report. */
  times: Record<RequestKind, number[]>
  /** The requests that did not succeed, with their status; 0 is no response. */
  failures: { kind: RequestKind; status: number; text: string }[]
  /** Events accepted since the last report, as `<tracking number> <event name>`, and when. */
  accepted: { slug: string; event: string; at: number }[]
  /** Customers whose order was accepted since the last report. */
  customers: string[]
}

interface Order {
  slug: string
  number: string
  /** The steps so far: a customer cannot look at a page before it exists. */
  before: Promise<void>
  pagePath?: string
  orderPath?: string
}

const timeLimitMs = 30_000
let port = 0
let isStopped = false
const inFlight = new Set<Promise<void>>()
let report = emptyReport()

process.on('message', async (command: LoadCommand) => {
  if (command.type === 'begin') {
    port = command.port
    begin(command)
    return
  }
  if (command.type === 'stop') {
    isStopped = true
    await Promise.all(inFlight)
  }
  process.send?.(report)
  report = emptyReport()
})
process.send?.({ isReady: true })

/** At a steady rate, even if responses are late. */
function begin({ slugs, ordersPerSecond, run }: Extract<LoadCommand, { type: 'begin' }>): void {
  const startedAt = performance.now()
  let placed = 0
  const place = () => {
    if (isStopped) return
    for (; placed < ((performance.now() - startedAt) / 1_000) * ordersPerSecond; placed += 1) {
      const slug = slugs[placed % slugs.length] ?? ''
      start({ slug, number: `S${run}${String(placed).padStart(8, '0')}`, before: Promise.resolve() })
    }
    setTimeout(place, 20)
  }
  place()
}

function start(order: Order): void {
  follow(order, () => placeOrder(order))
  for (const [afterSeconds, step] of journey) {
    setTimeout(() => follow(order, () => take(order, step)), afterSeconds * 1_000)
  }
}

function follow(order: Order, step: () => Promise<void>): void {
  const work = order.before.then(() => (isStopped ? undefined : step()))
  order.before = work
  inFlight.add(work)
  work.finally(() => inFlight.delete(work))
}

async function placeOrder(order: Order): Promise<void> {
  const upsert = shippedOrder(order.number)
  const email_id = `customer-${order.number}@example.com`
  const body = { ...upsert, order: { ...upsert.order, email_id, order_placed_at: new Date().toISOString() } }
  const response = await send('order', 'PUT', `/v1/shops/${order.slug}/orders`, body)
  if (response === undefined) return
  order.orderPath = response.headers.get('location') ?? ''
  report.customers.push(email_id)
}

async function take(order: Order, { kind, event }: Step): Promise<void> {
  const shop = `/v1/shops/${order.slug}`
  // It was not accepted, which is an error already.
  if (order.orderPath === undefined) return
  if (kind === 'event') {
    const body = { id: order.number, event_name: event }
    const response = await send(kind, 'POST', `${shop}/shipment-events?notify=true`, body)
    if (response) report.accepted.push({ slug: order.slug, event: `${order.number} ${event}`, at: Date.now() })
  } else if (kind === 'page address') {
    const response = await send(kind, 'POST', `${shop}/orders/trackpage-url`, { id: order.number })
    if (response) order.pagePath = new URL((JSON.parse(response.text) as { url: string }).url).pathname
  } else if (kind === 'page view') {
    if (order.pagePath !== undefined) await send(kind, 'GET', order.pagePath)
  } else if (kind === 'get of an order') {
    await send(kind, 'GET', new URL(order.orderPath, 'http://any').pathname)
  } else {
    await send(kind, 'GET', `${shop}/shipments?per_page=20`)
  }
}

async function send(
  kind: RequestKind,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ headers: Headers; text: string } | undefined> {
  const startedAt = performance.now()
  const { status, headers, text } = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(path.startsWith('/v1/') ? { authorization } : { accept: 'text/html' }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeLimitMs),
  }).then(
    async (response) => ({ status: response.status, headers: response.headers, text: await response.text() }),
    (error: unknown) => ({ status: 0, headers: new Headers(), text: String(error) }),
  )
  report.times[kind].push(performance.now() - startedAt)
  if (status >= 200 && status < 300) return { headers, text }
  report.failures.push({ kind, status, text: text.slice(0, 300) })
  return undefined
}

function emptyReport(): LoadReport {
  const times = Object.fromEntries(requestKinds.map((kind) => [kind, []])) as unknown as LoadReport['times'] // every kind
  return { times, failures: [], accepted: [], customers: [] }
}

// Exits with its parent process.
process.on('disconnect', () => process.exit())
