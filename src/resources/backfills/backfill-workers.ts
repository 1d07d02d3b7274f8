/** The workers of this process that bring in existing orders, as the operations that queue them see them. */
export interface BackfillWorkers {
  /** There is a backfill to begin. */
  wake(): void
}

declare module '../../foundation/services.ts' {
  interface Services {
    readonly backfills: BackfillWorkers
  }
}

/** For a node without workers: other nodes find the backfill when they sweep. */
export const noBackfillWorkers: BackfillWorkers = { wake() {} }
