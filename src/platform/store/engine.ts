import type { PreparingPool } from './prepared.ts'
import type { SlowStatements } from './slow-statements.ts'

/** One engine's connections, before anything is built on them. */
export interface Engine {
  engine: 'embedded' | 'postgres'
  pool: PreparingPool
  /** Those of this process. */
  slowStatements: SlowStatements
  listen(channel: string, handle: (payload: string) => void): Promise<void>
  listeningSince(): number | undefined
  /** Calls back whenever the store can be reached again. */
  onReturn(handle: () => void): void
  /** Whether statements of a process that has died are ended. */
  checksClients(): boolean
  close(): Promise<void>
}
