import { type Kysely, sql } from 'kysely'
import type { Tables } from '../foundation/tables.ts'

/** How far a server's log reaches: what a primary has written, or what a standby has replayed. */
export async function readPosition(db: Kysely<Tables>): Promise<bigint | undefined> {
  const { rows } = await sql<{ position: string | null }>`
    select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as position
  `.execute(db)
  const [high, low] = rows[0]?.position?.split('/') ?? []
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/**
 * Where the primary's log ended at which time. A standby that has replayed as much has everything from before that time. A
 * primary without work writes nothing, so its standbys are not behind, however old their last transaction is.
 */
export class PrimaryPositions {
  readonly #keptMs: number
  #samples: { atMs: number; position: bigint }[] = []

  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  add(atMs: number, position: bigint): void {
    this.#samples = this.#samples.filter((sample) => sample.atMs >= atMs - this.#keptMs)
    this.#samples.push({ atMs, position })
  }

  clear(): void {
    this.#samples = []
  }

  /** Undefined: longer than positions are kept, or unknown. */
  lagOf(replayed: bigint, nowMs: number): number | undefined {
    const reached = this.#samples.findLast(({ position }) => position <= replayed)
    return reached && nowMs - reached.atMs
  }
}
