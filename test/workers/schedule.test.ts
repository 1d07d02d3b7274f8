import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { after, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { findClockAhead, leaseJobRun } from '../../src/platform/store/job-runs.ts'
import { type Job, Schedule } from '../../src/platform/workers/schedule.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'

const service = await startTestService({ ROLE: 'api' }, await openTestDatabase())
const { db } = service.database

afterEach(() => clock.reset())
afterAll(() => service.stop())

const start = new Date('2026-11-16T12:00:00Z')
const at = (ms: number) => after(start, ms)

async function storedRun(name: string) {
  const { rows } = await sql<{ started_at: Date; finished_at: Date | null; failed_at: Date | null; failure: string }>`
    select started_at, finished_at, failed_at, failure from job_runs where name = ${name}`.execute(db)
  return rows[0]
}

describe('run of a scheduled job', () => {
  it('is claimed once in each period, and each job has its own', async () => {
    const claim = (ms: number, name = 'one of them') => leaseJobRun({ db }, name, at(ms), hourMs)
    expect(await claim(0)).toBe(true)
    expect(await claim(0)).toBe(false)
    expect(await claim(0, 'another')).toBe(true)
    expect(await claim(hourMs - 1)).toBe(false)
    expect(await claim(hourMs)).toBe(true)
    expect((await storedRun('one of them'))?.started_at).toEqual(at(hourMs))
    const both = await Promise.all([claim(2 * hourMs), claim(2 * hourMs)])
    expect(both.filter(Boolean)).toHaveLength(1)
  })

  it('is not delayed by a node whose clock ran ahead', async () => {
    const claim = (ms: number) => leaseJobRun({ db }, 'ahead', at(ms), hourMs)
    expect(await claim(0)).toBe(true)
    // Within a period, it may be the other clock that is right.
    expect(await leaseJobRun({ db }, 'a bit ahead', at(minuteMs), hourMs)).toBe(true)
    expect(await leaseJobRun({ db }, 'a bit ahead', at(0), hourMs)).toBe(false)
    expect(await claim(50 * hourMs)).toBe(true)
    expect(await claim(minuteMs)).toBe(true)
    expect((await storedRun('ahead'))?.started_at).toEqual(at(minuteMs))
  })

  it('shows by its start that a clock was ahead', async () => {
    await leaseJobRun({ db }, 'far ahead', at(90 * hourMs), hourMs)
    expect(await findClockAhead({ db }, at(80 * hourMs))).toEqual(at(90 * hourMs))
    expect(await findClockAhead({ db }, at(90 * hourMs))).toBeUndefined()
  })
})

describe('schedule', () => {
  it('runs what is due, one node per period, and what every process runs on each', async () => {
    const ran: string[] = []
    const job = (name: string, runsOn: Job['runsOn'], run: Job['run'] = async () => {}): Job => ({
      name,
      everyMs: hourMs,
      runsOn,
      async run(context, maxRunMs) {
        ran.push(name)
        await run(context, maxRunMs)
      },
    })
    const fails = async () => {
      throw new TypeError('it does not work')
    }
    const jobs = [job('failing', 'one node', fails), job('shared', 'one node'), job('own', 'every process')]
    const [first, second] = [new Schedule(jobs, service.context), new Schedule(jobs, service.context)]
    await first.tick()
    expect(ran.splice(0)).toEqual(['failing', 'shared', 'own'])
    await first.tick()
    expect(ran.splice(0)).toEqual([])
    await second.tick()
    expect(ran.splice(0)).toEqual(['own'])
    clock.advance(hourMs + secondMs)
    await second.tick()
    expect(ran.splice(0)).toEqual(['failing', 'shared', 'own'])
    await first.tick()
    expect(ran.splice(0)).toEqual(['own'])
    expect(await storedRun('failing')).toMatchObject({
      finished_at: null,
      failed_at: expect.any(Date),
      failure: 'TypeError',
    })
    expect(await storedRun('shared')).toMatchObject({ finished_at: expect.any(Date), failed_at: null, failure: null })
    expect(await storedRun('own')).toBeUndefined()
  })

  it('runs what every process runs again if its clock was set back', async () => {
    let runs = 0
    const job: Job = {
      name: 'set back',
      everyMs: hourMs,
      runsOn: 'every process',
      async run() {
        runs += 1
      },
    }
    const schedule = new Schedule([job], service.context)
    clock.advance(10 * hourMs)
    await schedule.tick()
    clock.reset()
    await schedule.tick()
    expect(runs).toBe(2)
  })
})
