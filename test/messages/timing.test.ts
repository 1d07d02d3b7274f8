import { describe, expect, it } from 'vitest'
import { decideTurn, quietUntil, type TimingFacts } from '../../src/messages/timing/rules.ts'
import { after, minuteMs } from '../../src/platform/foundation/clock.ts'

const quiet = { from: '21:00', to: '08:00' }
const facts: TimingFacts = {
  isUrgent: false,
  isAboutParcels: true,
  isResent: false,
  hasNewer: false,
  lastAt: null,
  timeZone: 'Europe/Berlin',
  quiet: undefined,
}
const noon = new Date('2026-11-03T11:00:00Z')
const night = new Date('2026-11-03T22:00:00Z')
const morning = new Date('2026-11-04T07:00:00Z')
const turn = (fields: Partial<TimingFacts>, now = noon) => decideTurn({ ...facts, ...fields }, now)

describe('turn of a message', () => {
  it('is now for the first about the parcels of an order, even at night', () => {
    expect(turn({ quiet }, night)).toEqual({ turn: 'send' })
  })

  it.each([['isUrgent'], ['isResent']] as const)('is now if it %s, whatever else there is', (field) => {
    expect(turn({ [field]: true, hasNewer: true, lastAt: night, quiet }, night)).toEqual({ turn: 'send' })
  })

  it('is ten minutes after the one before', () => {
    expect(turn({ lastAt: after(noon, -minuteMs) })).toEqual({ turn: 'wait', until: after(noon, 9 * minuteMs) })
    expect(turn({ lastAt: after(noon, -10 * minuteMs) })).toEqual({ turn: 'send' })
  })

  it('is in the morning if it would be at night', () => {
    const lastAt = after(night, -60 * minuteMs)
    expect(turn({ lastAt, quiet }, night)).toEqual({ turn: 'wait', until: morning })
    // Ten minutes after the one before are in the night already.
    const evening = new Date('2026-11-03T19:55:00Z')
    expect(turn({ lastAt: evening, quiet }, evening)).toEqual({ turn: 'wait', until: morning })
  })

  it('is skipped for a newer one about the same order', () => {
    expect(turn({ hasNewer: true, lastAt: noon })).toMatchObject({ turn: 'skip' })
    expect(turn({ hasNewer: true })).toMatchObject({ turn: 'skip' })
  })

  it('about something else is not merged, but waits for the morning', () => {
    const other = { isAboutParcels: false, hasNewer: true, lastAt: noon }
    expect(turn(other)).toEqual({ turn: 'send' })
    expect(turn({ ...other, quiet }, night)).toEqual({ turn: 'wait', until: morning })
  })
})

describe('quiet hours', () => {
  const until = (at: string, hours = quiet, timeZone = 'Europe/Berlin') =>
    quietUntil(hours, timeZone, new Date(at))?.toISOString()

  it.each([
    ['before them', '2026-11-03T19:59:59Z', undefined],
    ['at their beginning', '2026-11-03T20:00:00Z', '2026-11-04T07:00:00.000Z'],
    ['after midnight', '2026-11-04T02:00:00Z', '2026-11-04T07:00:00.000Z'],
    ['at their end', '2026-11-04T07:00:00Z', undefined],
    ['in summer', '2026-07-01T20:00:00Z', '2026-07-02T06:00:00.000Z'],
    ['over the change to winter time', '2026-10-24T20:00:00Z', '2026-10-25T07:00:00.000Z'],
    ['over the change to summer time', '2026-03-28T21:00:00Z', '2026-03-29T06:00:00.000Z'],
  ])('%s end when they should', (_name, at, expected) => {
    expect(until(at)).toBe(expected)
  })

  it('are those of the time zone of the customer', () => {
    expect(until('2026-11-03T20:00:00Z', quiet, 'America/New_York')).toBeUndefined()
    expect(until('2026-11-04T03:00:00Z', quiet, 'America/New_York')).toBe('2026-11-04T13:00:00.000Z')
  })

  it('never end in the past, where the clock skips their end', () => {
    const hours = { from: '21:00', to: '02:15' }
    expect(until('2026-03-08T05:00:00Z', hours, 'America/New_York')).toBe('2026-03-08T06:15:00.000Z')
    expect(until('2026-03-08T06:30:00Z', hours, 'America/New_York')).toBeUndefined()
  })

  it('may be within one day, and none if they begin when they end', () => {
    const midday = { from: '12:00', to: '14:30' }
    expect(until('2026-11-03T11:00:00Z', midday)).toBe('2026-11-03T13:30:00.000Z')
    expect(until('2026-11-03T13:30:00Z', midday)).toBeUndefined()
    expect(until('2026-11-03T22:00:00Z', midday)).toBeUndefined()
    expect(until('2026-11-03T22:00:00Z', { from: '21:00', to: '21:00' })).toBeUndefined()
  })
})
