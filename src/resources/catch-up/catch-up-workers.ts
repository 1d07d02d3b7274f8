/** The workers of this process that read recent orders again, as the operation that makes one due sees them. */
export interface CatchUpWorkers {
  /** One may be due. */
  wake(): void
}

declare module '../../foundation/services.ts' {
  interface Services {
    readonly catchUps: CatchUpWorkers
  }
}

/** For a node without workers: other nodes find what is due when they sweep. */
export const noCatchUpWorkers: CatchUpWorkers = { wake() {} }
