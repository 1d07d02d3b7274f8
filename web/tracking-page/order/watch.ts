import { Readable } from 'node:stream'
import { secondMs } from '../../../src/foundation/clock.ts'
import type { Context } from '../../../src/foundation/context.ts'
import { findOrderStates } from '../../../src/resources/order-page/store.ts'
import type { OrderKey } from '../../../src/resources/page-addresses/store.ts'

/** Notifies open pages when their order has changed. */
export interface OrderWatch {
  /** A stream of server-sent events; undefined if there are too many viewers, who then have to reload. */
  open(context: Asking, order: OrderKey, state: string): Readable | undefined
}

type Asking = Pick<Context, 'db' | 'log'>

interface Watched extends OrderKey {
  viewers: Map<Readable, string>
}

const mostViewers = 2_000
const mostOfOrder = 20
const askEveryMs = secondMs
const heartbeatMs = 20 * secondMs
/** A client with this much unread output is gone. */
const mostUnreadBytes = 16_384
const askedAtOnce = 500

/**
 * One query per second for all watched orders of this node: its cost depends on viewers, and writing events costs
 * nothing more. NOTIFY on every event would, because PostgreSQL serialises the commits of notifying transactions.
 */
export function createOrderWatch(): OrderWatch {
  const orders = new Map<string, Watched>()
  let viewers = 0
  let timer: NodeJS.Timeout | undefined
  let isAsking = false
  let lastHeartbeat = performance.now()

  async function ask(context: Asking): Promise<void> {
    const all = [...orders.values()]
    for (let start = 0; start < all.length; start += askedAtOnce) {
      const some = all.slice(start, start + askedAtOnce)
      const states = await findOrderStates(context, some)
      for (const [index, { viewers }] of some.entries()) tell(viewers, states[index] ?? 'gone')
    }
  }

  function tick(context: Asking): void {
    if (performance.now() - lastHeartbeat >= heartbeatMs) {
      lastHeartbeat = performance.now()
      for (const { viewers } of orders.values()) for (const stream of viewers.keys()) push(stream, ':\n\n')
    }
    if (isAsking) return
    isAsking = true
    ask(context)
      .catch((err) => context.log.warn({ err }, 'the states of watched orders could not be read; retrying in a second'))
      .finally(() => {
        isAsking = false
      })
  }

  function leave(name: string, stream: Readable): void {
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
      if (viewers >= mostViewers || watched.viewers.size >= mostOfOrder) return undefined
      const stream = new Readable({ read() {} })
      orders.set(name, watched)
      watched.viewers.set(stream, state)
      viewers += 1
      stream.once('close', () => leave(name, stream))
      stream.push('retry: 3000\n\n')
      timer ??= setInterval(tick, askEveryMs, context)
      timer.unref()
      return stream
    },
  }
}

/** Sends a new state once to each viewer. */
function tell(viewers: Map<Readable, string>, state: string): void {
  for (const [stream, known] of viewers) {
    if (known === state) continue
    viewers.set(stream, state)
    push(stream, `event: change\ndata: ${state}\n\n`)
  }
}

function push(stream: Readable, text: string): void {
  if (stream.readableLength > mostUnreadBytes) stream.destroy()
  else if (!stream.readableEnded && !stream.destroyed) stream.push(text)
}
