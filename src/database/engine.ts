import type { PreparingPool } from './prepared.ts'

/** One engine's connections, before anything is built on them. */
export interface Engine {
  engine: 'embedded' | 'postgres'
  pool: PreparingPool
  listen(channel: string, handle: (payload: string) => void): Promise<void>
  listeningSince(): number | undefined
  close(): Promise<void>
}
