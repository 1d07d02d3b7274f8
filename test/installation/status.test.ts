import { describe, expect, it } from 'vitest'
import { stateOfBackups, stateOfJob } from '../../src/installation/status/rules.ts'
import type { JobRow } from '../../src/installation/status/store.ts'
import { after, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { failedBackupFact, lastBackupFact } from '../../src/platform/store/installation.ts'

const now = new Date('2026-11-03T12:00:00Z')
const ago = (ms: number) => after(now, -ms)
const state = (fields: Partial<JobRow>) =>
  stateOfJob(
    {
      name: 'figures',
      started_at: ago(minuteMs),
      every_ms: hourMs,
      finished_at: ago(minuteMs),
      failed_at: null,
      failure: null,
      ...fields,
    },
    now,
  )

describe('state of a job', () => {
  it('is ok if it runs as often as it should, with a little delay', () => {
    expect(state({})).toBe('ok')
    expect(state({ started_at: ago(hourMs + 5 * minuteMs) })).toBe('ok')
    expect(state({ started_at: ago(hourMs + 5 * minuteMs + 1) })).toBe('overdue')
    expect(state({ started_at: ago(99 * hourMs), every_ms: null })).toBe('ok')
  })

  it('is failed until it finishes again', () => {
    expect(state({ failed_at: ago(minuteMs), finished_at: ago(hourMs) })).toBe('failed')
    expect(state({ failed_at: ago(minuteMs), finished_at: null })).toBe('failed')
    expect(state({ failed_at: ago(hourMs), finished_at: ago(minuteMs) })).toBe('ok')
    expect(state({ failed_at: ago(minuteMs), finished_at: null, started_at: ago(9 * hourMs) })).toBe('failed')
  })
})

describe('state of backups', () => {
  const last = { at: '2026-11-03T02:00:00.000Z', name: 'backup-1', bytes: 5, seconds: 1 }
  const failure = (at: string) => ({ at, message: 'the disk is full' })
  const of = (facts: Record<string, unknown>) =>
    stateOfBackups(new Map(Object.entries(facts).map(([name, fact]) => [name, JSON.stringify(fact)])))

  it('has the last one, and the last failure unless one was complete after it', () => {
    expect(of({})).toEqual({ last: undefined, failed: undefined })
    expect(of({ [lastBackupFact]: last })).toEqual({ last, failed: undefined })
    const [earlier, later] = [failure('2026-11-02T02:00:00.000Z'), failure('2026-11-03T03:00:00.000Z')]
    expect(of({ [lastBackupFact]: last, [failedBackupFact]: earlier })).toEqual({ last, failed: undefined })
    expect(of({ [lastBackupFact]: last, [failedBackupFact]: later })).toEqual({ last, failed: later })
    expect(of({ [failedBackupFact]: earlier })).toEqual({ last: undefined, failed: earlier })
  })
})
