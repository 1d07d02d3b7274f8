// The part of other queues that the comparison uses. Type checks of the repository run without this folder's packages.

declare module 'pg-boss' {
  interface Sql {
    executeSql(text: string, values: unknown[]): Promise<unknown>
  }

  export class PgBoss {
    constructor(options: { connectionString: string; max: number })
    on(event: 'error', handle: (error: unknown) => void): void
    start(): Promise<unknown>
    createQueue(name: string): Promise<void>
    send(name: string, data: object, options: { db: Sql }): Promise<string | null>
    work<Data>(
      name: string,
      options: {
        batchSize: number
        localConcurrency: number
        burstWhenBatchFull: boolean
        pollingIntervalSeconds: number
      },
      handle: (jobs: { data: Data }[]) => Promise<void>,
    ): Promise<string>
  }
}

declare module 'graphile-worker' {
  import type { Pool } from 'pg'

  export class Logger {
    constructor(factory: () => () => void)
  }

  export function makeWorkerUtils(options: { pgPool: Pool; logger: Logger }): Promise<{ migrate(): Promise<void> }>

  export function run(options: {
    pgPool: Pool
    logger: Logger
    noHandleSignals: boolean
    preset: {
      worker: {
        concurrentJobs: number
        pollInterval: number
        localQueue: { size: number }
        completeJobBatchDelay: number
        failJobBatchDelay: number
      }
    }
    taskList: Record<string, (payload: unknown) => Promise<void>>
  }): Promise<unknown>
}

declare module 'bullmq' {
  interface Connection {
    host: string
    port: number
  }

  export class Queue {
    constructor(name: string, options: { connection: Connection; defaultJobOptions: { removeOnComplete: boolean } })
    add(name: string, data: object): Promise<unknown>
    obliterate(options: { force: boolean }): Promise<void>
  }

  export class Worker<Data> {
    constructor(
      name: string,
      handle: (job: { data: Data }) => Promise<void>,
      options: { connection: Connection; concurrency: number },
    )
    on(event: 'error', handle: (error: unknown) => void): void
  }
}
