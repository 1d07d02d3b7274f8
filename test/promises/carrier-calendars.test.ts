import { describe, expect, it } from 'vitest'
import { CarrierCalendars } from '../../src/orders/promise-model/carrier-calendars.ts'
import { type Day, dayOf } from '../../src/platform/calendars/days.ts'

const monday = dayOf('2026-09-07')
const saturday = dayOf('2026-09-12')
const today = dayOf('2026-09-28')

function calendarAfter(deliveries: { on: Day; count: number }[]) {
  const calendars = new CarrierCalendars(monday, today)
  for (const { on, count } of deliveries) for (let each = 0; each < count; each += 1) calendars.add('dhl', 'DE', on)
  return calendars.of('dhl', 'DE').planned
}

describe('weekdays on which a carrier delivers', () => {
  it('include one with a twentieth of its deliveries, but none with less', () => {
    const enough = calendarAfter([
      { on: monday, count: 57 },
      { on: saturday, count: 3 },
    ])
    expect([enough.isWorkingDay(saturday + 7), enough.isWorkingDay(monday + 8)]).toEqual([true, false])
    const tooFew = calendarAfter([
      { on: monday, count: 58 },
      { on: saturday, count: 3 },
    ])
    expect(tooFew.isWorkingDay(saturday + 7)).toBe(false)
  })

  it("are those of the shop's calendar until 40 deliveries are known", () => {
    const days = [monday + 8, saturday + 7]
    const known = (count: number) => calendarAfter([{ on: saturday, count }])
    expect(days.map((day) => known(39).isWorkingDay(day))).toEqual([true, false])
    expect(days.map((day) => known(40).isWorkingDay(day))).toEqual([false, true])
  })
})
