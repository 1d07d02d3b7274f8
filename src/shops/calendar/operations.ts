import { calendarCountries, listHolidays } from '../../platform/calendars/calendars.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { chooseLanguage } from '../../platform/foundation/languages.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { CalendarSettings, Country, CountryCalendar, HolidayFilter } from './schema.ts'
import { putCalendar, readCalendar } from './settings-store.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    /** The days without delivery of a shop. */
    calendar: { shopId: string }
  }
}

export const getCountryCalendar = operation({
  name: 'getCountryCalendar',
  summary: 'List the public holidays of a country',
  description:
    'Nationwide public holidays on which parcels are usually not delivered, with the days that replace those at a weekend. Business days are counted without them.',
  area: 'Calendar',
  route: 'GET /v1/calendars/{country}',
  needs: 'viewer',
  pathSchemas: { country: Country },
  query: HolidayFilter,
  reply: CountryCalendar,
  async handle({ now, acceptLanguage }, { path: { country }, query }) {
    const year = query.year ?? now.getUTCFullYear()
    const language = chooseLanguage(acceptLanguage, 'en', (each) => each === 'en' || each === 'de')
    const holidays = listHolidays(country, year, language === 'de' ? 'de' : 'en')
    return { country, year, countries: [...calendarCountries], holidays }
  },
})

export const getCalendarSettings = operation({
  name: 'getCalendarSettings',
  summary: 'Get the days without delivery',
  area: 'Calendar',
  route: 'GET /v1/shops/{slug}/settings/calendar',
  needs: 'viewer',
  reply: CalendarSettings,
  handle: (context) => readCalendar(context, context.shop.id),
})

export const replaceCalendarSettings = operation({
  name: 'replaceCalendarSettings',
  summary: 'Replace the days without delivery',
  description:
    'Business days are counted without these weekdays, without the public holidays of the country that a parcel goes to, and without closed days. An open day counts in any case.',
  area: 'Calendar',
  route: 'PUT /v1/shops/{slug}/settings/calendar',
  needs: 'admin',
  body: CalendarSettings,
  reply: CalendarSettings,
  audit: { kind: 'settings', id: () => 'calendar', read: (context) => readCalendar(context, context.shop.id) },
  async handle(context, { body }) {
    const closed = inOrder('closed_days', body)
    const open = inOrder('open_days', body)
    const closedDates = new Set(closed.map(({ date }) => date))
    const both = open.findIndex(({ date }) => closedDates.has(date))
    if (both !== -1) throw invalid(['body', 'open_days', both, 'date'], 'is among the closed days')
    await putCalendar(context, {
      weekend: body.weekend.toSorted((one, other) => one - other),
      closed_days: closed,
      open_days: open,
    })
    await context.services.announce(context, { kind: 'calendar', shopId: context.shop.id })
    return readCalendar(context, context.shop.id)
  },
})

function inOrder(list: 'closed_days' | 'open_days', body: CalendarSettings): CalendarSettings['closed_days'] {
  const days = body[list].map(({ date, name }) => ({ date, name: name.trim() }))
  const dates = days.map(({ date }) => date)
  const double = dates.findIndex((date, index) => dates.indexOf(date) < index)
  if (double !== -1) throw invalid(['body', list, double, 'date'], 'is listed twice')
  return days.toSorted((one, other) => one.date.localeCompare(other.date))
}
