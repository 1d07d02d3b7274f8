import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Dataset, firstNewOrder, firstOrder } from './dataset.ts'
import type { Drive, Driven } from './drive.ts'
import { type KindName, kinds } from './requests.ts'

const runner = fileURLToPath(new URL('../run.js', import.meta.url))
const driver = fileURLToPath(new URL('./drive.ts', import.meta.url))

/** Assigns orders to requests. Each draft is fulfilled once, and each new order created once. */
export class Orders {
  readonly dataset: Dataset
  readonly #taken = { orders: 0, drafts: 0, 'new orders': 0 }

  constructor(dataset: Dataset) {
    this.dataset = dataset
  }

  /** The numbers that are left for a kind of request: the first, and how many. */
  left(kind: KindName): { from: number; count: number } {
    const { about } = kinds[kind]
    const { orders, drafts } = this.dataset
    if (about === 'orders') return { from: firstOrder, count: orders }
    const from = about === 'drafts' ? firstOrder + orders : firstNewOrder
    const count = about === 'drafts' ? drafts : 1_000_000_000
    return { from: from + this.#taken[about], count: count - this.#taken[about] }
  }

  use(kind: KindName, count: number): void {
    const { about } = kinds[kind]
    if (about !== 'orders') this.#taken[about] += count
  }
}

/** Sends requests of one kind to a service for a given time, from a separate process. */
export async function measure(
  kind: KindName,
  orders: Orders,
  options: { port: number; connections: number; seconds: number },
): Promise<Driven> {
  const { dataset } = orders
  const child = fork(runner, [driver])
  child.send({
    ...options,
    kind,
    dataset: { ...dataset, now: dataset.now.toISOString() },
    ...orders.left(kind),
  } satisfies Drive)
  const ended = once(child, 'exit').then(() => {
    throw new Error('the load generator ended before it had measured')
  })
  const [driven] = (await Promise.race([once(child, 'message'), ended])) as [Driven] // its only message
  ended.catch(() => {}) // killed on purpose
  child.kill()
  orders.use(kind, driven.requests)
  if (driven.firstFailure !== undefined) console.error(`${kind} failed: ${driven.firstFailure}`)
  return driven
}
