import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Dataset, firstNewOrder, firstOrder } from './dataset.ts'
import type { Drive, Driven } from './drive.ts'
import { type KindName, kinds } from './requests.ts'

const runner = fileURLToPath(new URL('../run.js', import.meta.url))
const driver = fileURLToPath(new URL('./drive.ts', import.meta.url))

/** Hands out orders to make requests about; a draft is fulfilled once, and a new order is new once. */
export class Orders {
  readonly dataset: Dataset
  readonly #taken = { orders: 0, drafts: 0, 'new orders': 0 }

  constructor(dataset: Dataset) {
    this.dataset = dataset
  }

  /** The numbers left for a kind of request: from, and how many. */
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

/** Sends requests of a kind to a service for a while, from a process of its own. */
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
  const [driven] = (await Promise.race([once(child, 'message'), ended])) as [Driven] // its only word
  ended.catch(() => {}) // it ends now because it is told to
  child.kill()
  orders.use(kind, driven.requests)
  if (driven.firstFailure !== undefined) console.error(`${kind} failed: ${driven.firstFailure}`)
  return driven
}
