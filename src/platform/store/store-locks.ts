import type { PreparingClient } from './prepared.ts'

/** Any constants: every node acquires the first advisory lock before it migrates, so that only one does. */
const migrationLock = 6_127_001
/** A process that replaces the whole store has both, so that others know what they would be waiting for. */
const replacementLock = 6_127_002

const pauseMs = 50
/** A process that is rejected is gone by then. */
const leavingMs = 500

/** Somebody replaces the whole store at this moment, or needs it for itself. */
export class StoreReplaced extends Error {
  constructor() {
    super(
      'The database of DATABASE_URL is being restored or moved: `doorstep restore` or `doorstep move-store` runs. Start again when it has ended.',
    )
    this.name = 'StoreReplaced'
  }
}

/**
 * Waits until no other node migrates. It waits without a statement in flight: `create index concurrently` of the node
 * that migrates would wait for that one.
 */
export async function acquireMigrationLock(client: PreparingClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select pg_try_advisory_lock(${migrationLock}) as taken, exists (
          select 1 from pg_locks where locktype = 'advisory' and granted and objid = ${replacementLock}
            and database = (select oid from pg_database where datname = current_database())
        ) as replaced`,
      [],
    )
    const { taken, replaced } = rows[0]
    if (taken) return
    if (replaced) throw new StoreReplaced()
    await pause(pauseMs)
  }
}

export async function releaseMigrationLock(client: PreparingClient): Promise<void> {
  await client.query({ text: `select pg_advisory_unlock(${migrationLock})` })
}

/** Until `unlockAfterReplacement`, or until the connection ends, no service starts on this store. */
export async function lockForReplacement(client: PreparingClient): Promise<void> {
  await acquireMigrationLock(client)
  await client.query({ text: `select pg_advisory_lock(${replacementLock})` })
}

export async function unlockAfterReplacement(client: PreparingClient): Promise<void> {
  await client.query({ text: `select pg_advisory_unlock(${replacementLock})` })
  await releaseMigrationLock(client)
}

/** Whether a service is connected to this database. One that has just been rejected does not count. */
export async function hasOtherProcesses(client: PreparingClient): Promise<boolean> {
  const before = await findOthers(client)
  if (before.length === 0) return false
  await pause(leavingMs)
  const after = await findOthers(client)
  return after.some((pid) => before.includes(pid))
}

async function findOthers(client: PreparingClient): Promise<number[]> {
  const { rows } = await client.query(
    `select pid from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'doorstep%'`,
    [],
  )
  return rows.map(({ pid }: { pid: number }) => pid)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
