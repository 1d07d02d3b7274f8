import { Readable } from 'node:stream'
import { secondMs } from '../../../src/foundation/clock.ts'
import type { Context } from '../../../src/foundation/context.ts'
import { findOrderStates } from '../../../src/resources/order-page/store.ts'
import type { OrderKey } from '../../../src/resources/page-addresses/store.ts'

/** Notifies open pages when their order has changed. */
export interface OrderWatch {
  /** A stream of server-sent events; undefined if there are too many viewers, who then have to reload. */
  open(context: QueryContext, order: OrderKey, state: string): Readable | undefined
}

type QueryContext = Pick<Context, 'db' | 'log'>

interface Watched extends OrderKey {
  viewers: Map<Readable, string>
}

const maxViewers = 2_000
const maxViewersOfOrder = 20
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
  let viewers = 0
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
    if (!watched?.viewers.delete(stream)) return
    viewers -= 1
    if (watched.viewers.size === 0) orders.delete(name)
    if (viewers === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    open(context, { shopId, orderId }, state) {
      const name = `${shopId} ${orderId}`
      const watched = orders.get(name) ?? { shopId, orderId, viewers: new Map<Readable, string>() }
      if (viewers >= maxViewers || watched.viewers.size >= maxViewersOfOrder) return undefined
      const stream = new Readable({ read() {} })
      orders.set(name, watched)
      watched.viewers.set(stream, state)
      viewers += 1
      stream.once('close', () => removeViewer(name, stream))
      stream.push('retry: 3000\n\n')
      timer ??= setInterval(tick, queryEveryMs, context)
      timer.unref()
      return stream
    },
  }
}

/** Sends a new state once to each viewer. */
function publish(viewers: Map<Readable, string>, state: string): void {
  for (const [stream, known] of viewers) {
    if (known === state) continue
    viewers.set(stream, state)
    push(stream, `event: change\ndata: ${state}\n\n`)
  }
}

function push(stream: Readable, text: string): void {
  if (stream.readableLength > maxUnreadBytes) stream.destroy()
  else if (!stream.readableEnded && !stream.destroyed) stream.push(text)
}
