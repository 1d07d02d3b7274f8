import { describe, expect, it } from 'vitest'
import type { Context } from '../../src/platform/foundation/context.ts'
import { type Wakers, wakeOnceCommitted } from '../../src/platform/workers/wake.ts'

/** A context in a transaction, of a process whose workers only note what wakes them. */
function inTransactionOf({ hasWorkers }: { hasWorkers: boolean }) {
  const woken: unknown[][] = []
  const note =
    (kind: string) =>
    (...hints: unknown[]) =>
      woken.push([kind, ...hints])
  const wakers: Wakers = {
    parcels: note('parcels'),
    imports: note('imports'),
    backfills: note('backfills'),
    catchUps: note('catchUps'),
    claimDecisions: note('claimDecisions'),
    teamMails: note('teamMails'),
    webhookChecks: note('webhookChecks'),
  }
  const afterCommit: (() => void)[] = []
  const services = { wakers: hasWorkers ? wakers : undefined }
  const context = { services, afterCommit } as unknown as Context // nothing else is read of it
  return {
    context,
    woken,
    commit: () => {
      for (const act of afterCommit) act()
    },
  }
}

describe('queued work', () => {
  it('wakes the worker of its kind, with its hints, when it is committed', () => {
    const { context, woken, commit } = inTransactionOf({ hasWorkers: true })
    const dueAt = new Date('2026-11-16T10:30:00Z')
    wakeOnceCommitted(context, 'imports')
    wakeOnceCommitted(context, 'claimDecisions', dueAt)
    expect(woken).toEqual([])
    commit()
    expect(woken).toEqual([['imports'], ['claimDecisions', dueAt]])
  })

  it('is left to the sweeps of other nodes where there are no workers', () => {
    const { context, woken, commit } = inTransactionOf({ hasWorkers: false })
    wakeOnceCommitted(context, 'imports')
    commit()
    expect(woken).toEqual([])
  })
})
