import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { systemClock } from '../../platform/foundation/clock.ts'
import { openEngine } from '../../platform/store/database.ts'
import { DirectoryInUse } from '../../platform/store/embedded/lock.js'
import { inspectStore, type StoreState } from '../../platform/store/inspect-store.ts'
import { DatabaseUnreachable } from '../../platform/store/postgres.ts'
import { type Finding, good, problem, warning } from './finding.ts'

/** The oldest PostgreSQL that the service is tested with. */
const oldestMajor = 15

/** Nodes that disagree about the time by more than this disagree about what is due. */
const maxSkewMs = 2_000

export interface StoreCheck {
  findings: Finding[]
  /** Undefined if it could not be read. */
  state: StoreState | undefined
}

export async function checkStore(config: Config): Promise<StoreCheck> {
  // To open it would create it.
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'store'))) {
    return {
      findings: [good('store', `There is none in ${config.dataDir} yet: the first start creates it.`)],
      state: undefined,
    }
  }
  try {
    return await openAndCheck(config)
  } catch (error) {
    return { findings: [explain(error, config)], state: undefined }
  }
}

async function openAndCheck(config: Config): Promise<StoreCheck> {
  const engine = await openEngine({ ...config, databasePool: 1 })
  try {
    const before = systemClock.now().getTime()
    const state = await inspectStore(engine)
    // The store's time is from somewhere between the two.
    const skewMs = state.now.getTime() - (before + systemClock.now().getTime()) / 2
    const findings = [checkVersion(state, engine.engine), checkMigrations(state)]
    return { findings: engine.engine === 'postgres' ? [...findings, checkClock(skewMs)] : findings, state }
  } finally {
    await engine.close()
  }
}

function explain(error: unknown, { databaseUrl }: Config): Finding {
  if (error instanceof DirectoryInUse) {
    return good('store', 'A running service uses it; "doorstep status" shows how that one does.')
  }
  const advice =
    databaseUrl === undefined
      ? 'Check who owns DATA_DIR and that its disk is not full. Restore a copy if the store is damaged.'
      : 'Check DATABASE_URL, that the server runs, and that it allows connections from this machine.'
  const message =
    error instanceof DatabaseUnreachable ? error.message : `It cannot be opened: ${(error as Error).message}`
  return problem('store', message, advice)
}

function checkVersion({ version }: StoreState, engine: 'embedded' | 'postgres'): Finding {
  if (engine === 'embedded') return good('store', 'The embedded store can be read.')
  if (Number.parseInt(version, 10) >= oldestMajor)
    return good('store', `PostgreSQL ${version.split(' ')[0]} can be reached.`)
  return problem('store', `PostgreSQL ${version} is too old.`, `Use PostgreSQL ${oldestMajor} or newer.`)
}

function checkMigrations({ pending, unknown }: StoreState): Finding {
  if (unknown.length > 0) {
    const message = `The store is newer than this version: it has ${unknown.join(', ')}.`
    return problem('migrations', message, 'Install the version that made it, or a newer one; there is no way back.')
  }
  if (pending.length === 0) return good('migrations', 'The store is up to date.')
  const message = `The store lacks ${pending.length} of this version's migrations, the first is ${pending[0]}.`
  return warning('migrations', message, 'Run "doorstep migrate"; the next start does the same.')
}

function checkClock(skewMs: number): Finding {
  const seconds = Math.abs(skewMs / 1_000).toFixed(1)
  if (Math.abs(skewMs) <= maxSkewMs) return good('clock', 'The clocks of this machine and of the store agree.')
  const message = `The clock of this machine is ${seconds} seconds ${skewMs > 0 ? 'behind' : 'ahead of'} that of the store.`
  return problem('clock', message, 'Synchronise the clocks of all machines, with chrony or systemd-timesyncd.')
}
