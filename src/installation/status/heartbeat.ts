import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { after, dayMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { announceNode, removeNode, removeNodesBefore } from './store.ts'

const everyMs = 15 * secondMs
/** A process without a heartbeat for this long has died. */
export const aliveMs = minuteMs

/** Announces to the other nodes that this process runs, and in which version. */
export class Heartbeat extends Worker {
  readonly #id = randomUUID()
  readonly #startedAt: Date
  readonly #role: string
  readonly #version: string

  constructor(
    context: () => Context,
    { role, version, startedAt }: { role: string; version: string; startedAt: Date },
  ) {
    super({ name: 'heartbeat', context, sweepMs: everyMs })
    this.#role = role
    this.#version = version
    this.#startedAt = startedAt
  }

  protected override async findWork(): Promise<void> {
    const { context } = this
    await announceNode(context, {
      id: this.#id,
      host: hostname(),
      pid: process.pid,
      role: this.#role,
      version: this.#version,
      started_at: this.#startedAt,
      seen_at: context.now,
    })
    await removeNodesBefore(context, after(context.now, -dayMs))
  }

  protected override async onDrained(): Promise<void> {
    await removeNode(this.context, this.#id)
  }
}
