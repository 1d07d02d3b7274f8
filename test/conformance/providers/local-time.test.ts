import { describe, expect, it } from 'vitest'
import { dateIn, dayIn, readTime, windowOf } from '../../../src/adapters/carriers/local-time.ts'
import { countryCode, longCountryCode, zoneOf } from '../../../src/adapters/carriers/places.ts'

describe('time of a scan', () => {
  it.each([
    ['2026-11-03T09:50:00', 'Europe/Berlin', '2026-11-03T08:50:00.000Z', 'Europe/Berlin'],
    ['2026-07-03 09:50', 'Europe/Berlin', '2026-07-03T07:50:00.000Z', 'Europe/Berlin'],
    ['2026-07-03T09:50:00.123', 'America/Los_Angeles', '2026-07-03T16:50:00.123Z', 'America/Los_Angeles'],
    ['2026-11-03T09:50:00Z', 'Europe/Berlin', '2026-11-03T09:50:00.000Z', '+00:00'],
    ['2026-11-03T09:50:00-0530', 'Europe/Berlin', '2026-11-03T15:20:00.000Z', '-05:30'],
    ['2026-11-03', 'Asia/Tokyo', '2026-11-02T15:00:00.000Z', 'Asia/Tokyo'],
    // Clocks go forward at 02:00 on 29 March, and back at 03:00 on 25 October.
    ['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59.000Z', 'Europe/Berlin'],
    ['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z', 'Europe/Berlin'],
    ['2026-10-25T01:59:59', 'Europe/Berlin', '2026-10-24T23:59:59.000Z', 'Europe/Berlin'],
    ['2026-10-25T03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z', 'Europe/Berlin'],
  ])('%s in %s is %s', (text, zone, time, timezone) => {
    expect(readTime(text, zone)).toMatchObject({ time: new Date(time), timezone })
  })

  it.each([undefined, '', 'yesterday', '2026-13-01', '2026-11-03T25:00:00', '03.11.2026', '2026-11-03T09'])(
    'is not %s',
    (text) => {
      expect(readTime(text, 'UTC')).toBeUndefined()
    },
  )

  it('is valid in an hour that is skipped or repeated', () => {
    for (const text of ['2026-03-29T02:30:00', '2026-10-25T02:30:00']) {
      const time = readTime(text, 'Europe/Berlin')?.time.getTime() ?? 0
      expect(Math.abs(time - Date.parse(`${text}+01:00`))).toBeLessThanOrEqual(3_600_000)
    }
  })
})

describe('day', () => {
  it('lasts from its first to its last moment, however long it is', () => {
    expect(dayIn('Europe/Berlin', '2026-03-29')).toEqual({
      start: '2026-03-28T23:00:00.000Z',
      end: '2026-03-29T21:59:59.999Z',
    })
    expect(dayIn('Europe/Berlin', '2026-10-25')).toEqual({
      start: '2026-10-24T22:00:00.000Z',
      end: '2026-10-25T22:59:59.999Z',
    })
    expect(dayIn('Europe/Berlin', 'someday')).toBeUndefined()
  })

  it('is that of the place', () => {
    expect(dateIn('Asia/Tokyo', new Date('2026-11-03T20:00:00Z'))).toBe('2026-11-04')
    expect(dateIn('America/New_York', new Date('2026-11-03T03:00:00Z'))).toBe('2026-11-02')
  })
})

describe('window of delivery', () => {
  it('is left out if it is invalid or ends before it begins', () => {
    expect(windowOf('UTC', undefined, undefined)).toBeUndefined()
    expect(windowOf('UTC', '2026-11-03', 'soon')).toBeUndefined()
    expect(windowOf('UTC', '2026-11-05', '2026-11-03')).toBeUndefined()
  })

  it.each([
    // Midnight stands for its day.
    [undefined, '2026-11-03T00:00:00', '2026-11-02T23:00:00.000Z', '2026-11-03T22:59:59.999Z'],
    ['2026-11-03T00:00', '2026-11-03T00:00:00.000', '2026-11-02T23:00:00.000Z', '2026-11-03T22:59:59.999Z'],
    ['2026-11-03T00:00:00', '2026-11-04T00:00:00', '2026-11-02T23:00:00.000Z', '2026-11-04T22:59:59.999Z'],
    ['2026-11-03T00:00:00-06:00', '2026-11-03T00:00:00-06:00', '2026-11-02T23:00:00.000Z', '2026-11-03T22:59:59.999Z'],
    // After a time of the day before, it is the end of that day.
    ['2026-11-03T18:00:00', '2026-11-04T00:00:00', '2026-11-03T17:00:00.000Z', '2026-11-03T23:00:00.000Z'],
    // A day without any time stays a day.
    ['2026-11-03T18:00:00', '2026-11-04', '2026-11-03T17:00:00.000Z', '2026-11-04T22:59:59.999Z'],
    ['2026-11-03T00:00:00', '2026-11-03T14:00:00', '2026-11-02T23:00:00.000Z', '2026-11-03T13:00:00.000Z'],
  ])('from %s until %s, in Berlin', (from, until, start, end) => {
    expect(windowOf('Europe/Berlin', from, until)).toEqual({ start, end })
  })

  it('begins with the day if only its end can be read', () => {
    const window = { start: '2026-11-03T00:00:00.000Z', end: '2026-11-03T12:00:00.000Z' }
    expect(windowOf('UTC', 'soon', '2026-11-03T12:00:00')).toEqual(window)
  })
})

describe('place', () => {
  it('has the time zone of its state or of its country', () => {
    expect(zoneOf('US', 'ca')).toBe('America/Los_Angeles')
    expect(zoneOf('USA')).toBe('America/New_York')
    expect(zoneOf('de', 'BY')).toBe('Europe/Berlin')
    expect(zoneOf('XX')).toBeUndefined()
    expect(zoneOf(null)).toBeUndefined()
  })

  it('has a country code of two or of three letters', () => {
    expect([countryCode('deu'), countryCode('DE'), countryCode('Germany'), countryCode('US-CA')]).toEqual([
      'DE',
      'DE',
      undefined,
      undefined,
    ])
    expect(longCountryCode('gb')).toBe('GBR')
    expect(longCountryCode('')).toBeUndefined()
  })
})
