import { Kysely, PostgresDialect, sql } from 'kysely'
import { secondMs } from '../foundation/clock.ts'
import { StoreUnavailable } from '../foundation/store-unavailable.ts'
import type { Tables } from '../foundation/tables.ts'
import { AddressError, parseAddress } from './address.ts'
import type { Changes } from './changes.ts'
import type { Database } from './database.ts'
import { storeErrorOf } from './errors.ts'
import { DatabaseUnreachable } from './postgres.ts'
import { preparing } from './prepared.ts'
import { Server } from './server.ts'
import { SessionOptions } from './session-options.ts'

/** How far a server's log reaches: what a primary has written, or what a standby has replayed. */
async function readPosition(db: Kysely<Tables>): Promise<bigint | undefined> {
  const { rows } = await sql<{ position: string | null }>`
    select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as position
  `.execute(db)
  const [high, low] = rows[0]?.position?.split('/') ?? []
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/**
 * The end of the primary's log at known times. A standby that has replayed as much has everything from before that
 * time. A primary without work writes nothing, so its standbys are not behind, however old their last transaction is.
 */
class PrimaryPositions {
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

declare module '../foundation/services.ts' {
  interface Services {
    /** Standbys that serve reads which may be seconds old; undefined if there are none. */
    readonly replicas: Replicas | undefined
  }
}

declare module '../foundation/caches.ts' {
  interface ChangeKinds {
    /** A key, or a person in a session, has changed something. */
    written: { keyId: string }
  }
}

export interface ReplicaConfig {
  databaseReplicaUrl: string | undefined
  /** In seconds. */
  databaseReplicaMaxLag: number
  databasePool: number
  databaseStatementTimeout: number
}

/** One standby for one operation. */
export interface ReplicaReader {
  db: Kysely<Tables>
  /** True if the standby is to blame: then it is not used for a while, and the primary can do the work. */
  hasFailed(error: unknown): boolean
}

const checkMs = secondMs
/** How long a standby that failed is not used. */
const restMs = 5 * secondMs
/** A standby that leaves so many checks unanswered hangs. */
const maxMissed = 2

/**
 * The standbys. Each is checked once per second, and used while it has everything that the primary had `maxLag` ago.
 *
 * Callers must see what they have changed themselves: a caller that wrote something reads from the primary until any standby in
 * use has it. All nodes are notified, because the next request may reach another one.
 */
export class Replicas {
  readonly #database: Database
  readonly #changes: Changes
  readonly #positions: PrimaryPositions
  readonly #replicas: Replica[]
  readonly #maxLagMs: number
  readonly #holdMs: number
  /** By key: until when it reads from the primary, by performance.now(). */
  readonly #writers = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #isMeasuring = false
  #turn = 0
  readonly reads = { replica: 0, primary: 0 }

  constructor(config: ReplicaConfig & { databaseReplicaUrl: string }, database: Database, changes: Changes) {
    this.#database = database
    this.#changes = changes
    this.#maxLagMs = config.databaseReplicaMaxLag * secondMs
    // A standby may be that old, was checked a moment ago, and its statement takes a moment.
    this.#holdMs = this.#maxLagMs + 3 * checkMs
    this.#positions = new PrimaryPositions(this.#maxLagMs + restMs)
    const { hosts, options } = readAddress(config.databaseReplicaUrl)
    const statementMs = config.databaseStatementTimeout * secondMs || undefined
    this.#replicas = hosts.map(({ connectionString }) => {
      const address = { connectionString, needsWrites: false, options: new SessionOptions(options) }
      return new Replica(new Server(address, config.databasePool), statementMs)
    })
    changes.onChange((change) => {
      if (change.kind === 'written') this.#writers.set(change.keyId, performance.now() + this.#holdMs)
    })
    // Another history may have begun.
    database.onReturn(() => this.#positions.clear())
    this.#timer = setInterval(() => void this.check(), checkMs).unref()
  }

  /** How far each is behind, in seconds; undefined if it does not respond. */
  get lags(): (number | undefined)[] {
    return this.#replicas.map(({ position }) => {
      const lagMs = position === undefined ? undefined : this.#positions.lagOf(position, performance.now())
      return lagMs === undefined ? undefined : lagMs / secondMs
    })
  }

  /** A standby for a read of this caller; undefined: the primary. */
  readerFor(keyId: string): ReplicaReader | undefined {
    const nowMs = performance.now()
    const replica = this.#mayBeOld(keyId, nowMs) ? this.#choose(nowMs) : undefined
    this.reads[replica === undefined ? 'primary' : 'replica'] += 1
    if (replica === undefined) return undefined
    return {
      db: replica.db,
      hasFailed: (error) => {
        if (!isFailureOfReplica(error)) return false
        replica.restUntil(performance.now() + restMs)
        this.reads.primary += 1
        return true
      },
    }
  }

  /** The caller has changed something. Before it gets the response, every node knows. */
  async noteWrite(keyId: string): Promise<void> {
    const nowMs = performance.now()
    // A writer that was announced a moment ago is not announced again: thousands of writes per second share one.
    const announcedUntil = this.#writers.get(keyId) ?? 0
    if (announcedUntil - nowMs > this.#holdMs - checkMs) return
    this.#writers.set(keyId, nowMs + this.#holdMs)
    // The caller's change is committed: a failure to notify the other nodes must not fail it.
    await this.#changes.announce({ db: this.#database.db }, { kind: 'written', keyId }).catch(() => {})
  }

  /** Measures the primary and every standby. */
  async check(): Promise<void> {
    const nowMs = performance.now()
    for (const [keyId, untilMs] of this.#writers) if (untilMs < nowMs) this.#writers.delete(keyId)
    // A primary that does not respond must not delay the standbys, nor they each other.
    void this.#measurePrimary()
    await Promise.all(this.#replicas.map((replica) => replica.measure()))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#replicas.map((replica) => replica.close()))
  }

  async #measurePrimary(): Promise<void> {
    if (this.#isMeasuring) return
    this.#isMeasuring = true
    const beforeMs = performance.now()
    const position = await readPosition(this.#database.db).catch(() => undefined)
    this.#isMeasuring = false
    if (position !== undefined) this.#positions.add(beforeMs, position)
  }

  /** Writes on other nodes are known only if no notification was missed for long enough. */
  #mayBeOld(keyId: string, nowMs: number): boolean {
    const since = this.#database.listeningSince()
    if (since === undefined || nowMs - since < this.#holdMs) return false
    return (this.#writers.get(keyId) ?? 0) < nowMs
  }

  #choose(nowMs: number): Replica | undefined {
    const usable = this.#replicas.filter((replica) => {
      if (replica.position === undefined || replica.isResting(nowMs)) return false
      const lagMs = this.#positions.lagOf(replica.position, nowMs)
      return lagMs !== undefined && lagMs <= this.#maxLagMs
    })
    this.#turn += 1
    return usable[this.#turn % Math.max(usable.length, 1)]
  }
}

function readAddress(url: string) {
  try {
    return parseAddress(url)
  } catch (error) {
    if (error instanceof AddressError) throw new DatabaseUnreachable(error, 'DATABASE_REPLICA_URL')
    throw error
  }
}

/** It broke off, cancelled the statement because it had to replay a change, or got a statement that only the primary runs. */
function isFailureOfReplica(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string }
  return error instanceof StoreUnavailable || code === '40001' || code === '40P01'
}

class Replica {
  readonly db: Kysely<Tables>
  readonly #server: Server
  #position: bigint | undefined
  #restsUntilMs = 0
  #isMeasuring = false
  #missed = 0

  constructor(server: Server, statementMs: number | undefined) {
    this.#server = server
    const connect = async () => {
      try {
        const client = await server.connect()
        return preparing(client, { release: () => client.release(), statementMs })
      } catch (error) {
        throw storeErrorOf(error, false)
      }
    }
    this.db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) })
  }

  /** The position up to which it has replayed the log; undefined while it does not respond. */
  get position(): bigint | undefined {
    return this.#position
  }

  isResting(nowMs: number): boolean {
    return nowMs < this.#restsUntilMs
  }

  restUntil(ms: number): void {
    this.#restsUntilMs = ms
  }

  async measure(): Promise<void> {
    if (this.#isMeasuring) {
      // It has not responded to the last one yet. Reads in flight there go to the primary.
      this.#position = undefined
      this.#missed += 1
      if (this.#missed >= maxMissed) this.#server.cut()
      return
    }
    this.#isMeasuring = true
    this.#missed = 0
    try {
      this.#position = await readPosition(this.db)
    } catch {
      this.#position = undefined
    } finally {
      this.#isMeasuring = false
    }
  }

  close(): Promise<void> {
    return this.#server.leave('gently')
  }
}
