/** The workers of this process that import files, as the operation that queues them sees them. */
export interface ImportWorkers {
  /** There is a file to be imported. */
  wake(): void
}

declare module '../../foundation/services.ts' {
  interface Services {
    readonly imports: ImportWorkers
  }
}

/** For a node without workers: other nodes find the file when they sweep. */
export const noImportWorkers: ImportWorkers = { wake() {} }
