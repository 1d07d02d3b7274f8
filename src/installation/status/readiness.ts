import { statfs } from 'node:fs/promises'
import { secondMs, systemClock } from '../../platform/foundation/clock.ts'
import type { CommitScope } from '../../platform/foundation/transaction.ts'
import { migrationNames } from '../../platform/store/migrations.ts'
import { readStoreFacts, type StoreFacts } from './store.ts'

export const checkNames = ['store', 'migrations', 'clock', 'disk', 'workers'] as const

export interface Check {
  name: (typeof checkNames)[number]
  /** `failed`: this node cannot do its work. `warning`: somebody should check. */
  state: 'ok' | 'warning' | 'failed'
  message: string
}

export interface Readiness {
  isReady: boolean
  checks: Check[]
  /** How far the store's clock is ahead of this machine's; undefined while the store does not respond. */
  skewMs: number | undefined
  disk: { freeBytes: number; sizeBytes: number } | undefined
}

export interface ReadinessOptions {
  scope: CommitScope
  dataDir: string
  role: 'all' | 'api' | 'worker'
  engine: 'embedded' | 'postgres'
  /** Names of workers that have not finished a sweep for long. */
  stuckWorkers(): string[]
}

/** Also for a store that hangs: a probe must not wait longer. */
const limitMs = 2 * secondMs
/** Anybody may query it; within this time, all get the same result. */
const freshMs = secondMs
const maxSkewMs = 2 * secondMs
const littleBytes = 1_000_000_000
const tooLittleBytes = 10_000_000

/** Whether this node can work, with what is wrong in plain words: no addresses, no names, no secrets. */
export function createReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  const ours = migrationNames()
  let running: Promise<Readiness> | undefined
  let atMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = performance.now()
    if (running === undefined || nowMs - atMs > freshMs) {
      atMs = nowMs
      running = examine(options, ours)
    }
    return running
  }
}

async function examine(options: ReadinessOptions, ours: string[]): Promise<Readiness> {
  const before = systemClock.now().getTime()
  const [facts, disk] = await Promise.all([
    within(limitMs, readStoreFacts(options.scope)),
    within(limitMs, statfs(options.dataDir)),
  ])
  const skewMs = facts && facts.now.getTime() - (before + systemClock.now().getTime()) / 2
  const free = disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize }
  const checks = [
    checkStore(facts),
    ...(facts && skewMs !== undefined ? [checkMigrations(facts, ours), checkClock(skewMs)] : []),
    checkDisk(free?.freeBytes, options.engine),
    checkWorkers(options),
  ]
  return { isReady: checks.every(({ state }) => state !== 'failed'), checks, skewMs, disk: free }
}

/** Undefined if it fails or takes longer. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([work.catch(() => undefined), timeout])
  } finally {
    clearTimeout(timer)
  }
}

function checkStore(facts: StoreFacts | undefined): Check {
  return facts
    ? { name: 'store', state: 'ok', message: 'The store responds.' }
    : { name: 'store', state: 'failed', message: `The store did not respond within ${limitMs / 1_000} seconds.` }
}

/** Migrations of a newer version are no problem: nodes are upgraded one after another. */
function checkMigrations({ migrations }: StoreFacts, ours: string[]): Check {
  const applied = new Set(migrations)
  const missing = ours.filter((name) => !applied.has(name))
  if (missing.length === 0)
    return { name: 'migrations', state: 'ok', message: 'The store has every migration of this version.' }
  const message = `The store lacks ${missing.length} of this version's migrations, the first is ${missing[0]}. Run "doorstep migrate".`
  return { name: 'migrations', state: 'failed', message }
}

function checkClock(skewMs: number): Check {
  if (Math.abs(skewMs) <= maxSkewMs) {
    return { name: 'clock', state: 'ok', message: 'The clocks of this machine and of the store agree.' }
  }
  const seconds = Math.abs(skewMs / 1_000).toFixed(1)
  const message = `The clock of this machine is ${seconds} seconds ${skewMs > 0 ? 'behind' : 'ahead of'} that of the store. Synchronise the clocks.`
  return { name: 'clock', state: 'warning', message }
}

function checkDisk(freeBytes: number | undefined, engine: ReadinessOptions['engine']): Check {
  if (freeBytes === undefined) {
    return { name: 'disk', state: 'warning', message: 'The disk of the data folder cannot be read.' }
  }
  const message = `${(freeBytes / 1_000_000_000).toFixed(1)} GB are free on the disk of the data folder.`
  if (freeBytes >= littleBytes) return { name: 'disk', state: 'ok', message }
  // Without space for the embedded store, nothing can be written.
  const isFull = freeBytes < tooLittleBytes && engine === 'embedded'
  return { name: 'disk', state: isFull ? 'failed' : 'warning', message: `${message} Free some space.` }
}

/** A node that serves requests can go on serving them. */
function checkWorkers({ role, stuckWorkers }: ReadinessOptions): Check {
  if (role === 'api') return { name: 'workers', state: 'ok', message: 'This node has no workers.' }
  const stuck = stuckWorkers()
  if (stuck.length === 0) return { name: 'workers', state: 'ok', message: 'The workers are working.' }
  const message = `These workers have not finished a round for minutes: ${stuck.join(', ')}.`
  return { name: 'workers', state: role === 'worker' ? 'failed' : 'warning', message }
}
