import type { Context } from '../foundation/context.ts'
import { onceCommitted } from '../foundation/transaction.ts'

/**
 * The kinds of background work that code queues, each with the hints that its worker accepts. A context declares its
 * kinds beside their code, by merging into this interface.
 */
export interface WorkKinds extends Record<never, unknown[]> {}

/** Wakes the workers of this process, by kind of work. */
export type Wakers = { readonly [Kind in keyof WorkKinds]: (...hints: WorkKinds[Kind]) => void }

declare module '../foundation/services.ts' {
  interface Services {
    /** Undefined on a node without workers. */
    readonly wakers: Wakers | undefined
  }
}

/** Wakes this process's worker when the queued work is committed. Workers of other nodes find the work when they sweep. */
export function wakeOnceCommitted<Kind extends keyof WorkKinds>(
  context: Context,
  kind: Kind,
  ...hints: WorkKinds[Kind]
): void {
  const { wakers } = context.services
  if (wakers) onceCommitted(context, () => wakers[kind](...hints))
}
