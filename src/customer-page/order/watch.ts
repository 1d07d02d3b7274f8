import { Readable } from 'node:stream'
import { findOrderStates } from '../../customer-view/order-page/store.ts'
import type { OrderKey } from '../../orders/page-addresses/store.ts'
import { wideNetworkOf } from '../../platform/foundation/client-network.ts'
import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { type ShareLimits, Shares } from '../../platform/foundation/shares.ts'

/** Notifies open pages when their order has changed. */
export interface OrderWatch {
  /** A stream of server-sent events; undefined if there is no place for it. */
  open(context: QueryContext, order: OrderKey, viewer: { state: string; address: string }): Readable | undefined
  /** Whether `open` would find a place. */
  hasPlace(order: OrderKey, address: string): boolean
}

/** After how long a page that found no place, or lost it, comes back. */
export const comeBackSeconds = 60

type QueryContext = Pick<Context, 'db' | 'log'>

interface Watched extends OrderKey {
  /** Oldest first. */
  viewers: Map<Readable, Viewer>
}

interface Viewer {
  state: string
  giveBack: () => void
}

/** Open streams of a process. The shop and the network come first: only what fits them may close another stream of its link. */
export const streamLimits: ShareLimits<'shop' | 'network' | 'link'> = {
  all: 2_000,
  each: { shop: 500, network: 200, link: 20 },
}
const queryEveryMs = secondMs
const heartbeatMs = 20 * secondMs
/** A client with this much unread output is gone. */
const maxUnreadBytes = 16_384
const ordersPerQuery = 500

/**
 * One query per second for all watched orders of this node: its cost depends on viewers, and writing events costs
 * nothing more. NOTIFY on every event would, because PostgreSQL serialises the commits of notifying transactions.
 */
export function createOrderWatch(): OrderWatch {
  const orders = new Map<string, Watched>()
  const places = new Shares(streamLimits)
  let timer: NodeJS.Timeout | undefined
  let isQuerying = false
  let lastHeartbeat = performance.now()

  async function queryStates(context: QueryContext): Promise<void> {
    const all = [...orders.values()]
    for (let start = 0; start < all.length; start += ordersPerQuery) {
      const some = all.slice(start, start + ordersPerQuery)
      const states = await findOrderStates(context, some)
      for (const [index, { viewers }] of some.entries()) publish(viewers, states[index] ?? 'gone')
    }
  }

  function tick(context: QueryContext): void {
    if (performance.now() - lastHeartbeat >= heartbeatMs) {
      lastHeartbeat = performance.now()
      for (const { viewers } of orders.values()) for (const stream of viewers.keys()) push(stream, ':\n\n')
    }
    if (isQuerying) return
    isQuerying = true
    queryStates(context)
      .catch((err) => context.log.warn({ err }, 'the states of watched orders could not be read; retrying in a second'))
      .finally(() => {
        isQuerying = false
      })
  }

  function removeViewer(name: string, stream: Readable): void {
    const watched = orders.get(name)
    watched?.viewers.get(stream)?.giveBack()
    if (!watched?.viewers.delete(stream)) return
    if (watched.viewers.size === 0) orders.delete(name)
    if (places.count === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }

  /** A link may be shared, or in wrong hands: its newest viewer, who may be the customer, gets the place of its oldest. */
  function takePlace(order: OrderKey, address: string) {
    const name = nameOf(order)
    const subjects = { shop: order.shopId, network: wideNetworkOf(address), link: name }
    const place = places.take(subjects)
    if (place !== 'link') return place
    const [oldest] = orders.get(name)?.viewers.keys() ?? []
    if (oldest === undefined) return place
    removeViewer(name, oldest)
    push(oldest, `retry: ${comeBackSeconds * secondMs}\n\n`)
    oldest.push(null)
    return places.take(subjects)
  }

  return {
    hasPlace({ shopId }, address) {
      const place = places.take({ shop: shopId, network: wideNetworkOf(address), link: '' })
      if (typeof place === 'string') return false
      place.giveBack()
      return true
    },
    open(context, { shopId, orderId }, { state, address }) {
      const name = nameOf({ shopId, orderId })
      const place = takePlace({ shopId, orderId }, address)
      if (typeof place === 'string') return undefined
      const watched = orders.get(name) ?? { shopId, orderId, viewers: new Map<Readable, Viewer>() }
      const stream = new Readable({ read() {} })
      orders.set(name, watched)
      watched.viewers.set(stream, { state, giveBack: place.giveBack })
      stream.once('close', () => removeViewer(name, stream))
      stream.push('retry: 3000\n\n')
      timer ??= setInterval(tick, queryEveryMs, context)
      timer.unref()
      return stream
    },
  }
}

function nameOf({ shopId, orderId }: OrderKey): string {
  return `${shopId} ${orderId}`
}

/** Sends a new state once to each viewer. */
function publish(viewers: ReadonlyMap<Readable, Viewer>, state: string): void {
  for (const [stream, viewer] of viewers) {
    if (viewer.state === state) continue
    viewer.state = state
    push(stream, `event: change\ndata: ${state}\n\n`)
  }
}

function push(stream: Readable, text: string): void {
  if (stream.readableLength > maxUnreadBytes) stream.destroy()
  else if (!stream.readableEnded && !stream.destroyed) stream.push(text)
}
