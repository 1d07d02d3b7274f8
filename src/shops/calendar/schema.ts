import { calendarCountries } from '../../platform/calendars/calendars.ts'
import { Named, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

const Day = Type.String({ format: 'date', minLength: 10, maxLength: 10, examples: ['2026-12-24'] })

const NamedDay = Named(
  'NamedDay',
  Type.Object({
    date: Day,
    name: Type.String({ maxLength: 100, description: 'May be empty', examples: ['Christmas Eve'] }),
  }),
)

const maxDays = 200

/** The days of a shop, in the API's words. */
export const CalendarSettings = Named(
  'CalendarSettings',
  Type.Object({
    weekend: Type.Array(Type.Integer({ minimum: 1, maximum: 7, examples: [6] }), {
      maxItems: 6,
      uniqueItems: true,
      description: 'Days of the week without delivery; 1 is Monday, 7 Sunday',
    }),
    closed_days: Type.Array(NamedDay, {
      maxItems: maxDays,
      description: 'Further days without delivery, such as holidays of a region',
    }),
    open_days: Type.Array(NamedDay, {
      maxItems: maxDays,
      description: 'Days with delivery although they are at a weekend or a public holiday',
    }),
  }),
)
export type CalendarSettings = Static<typeof CalendarSettings>

export const Country = OneOf(calendarCountries, { description: 'ISO 3166-1 code', examples: ['DE'] })

export const HolidayFilter = Type.Object({
  year: Type.Optional(
    Type.Integer({ minimum: 2015, maximum: 2050, description: 'Default: this year', examples: [2026] }),
  ),
})

export const CountryCalendar = Named(
  'CountryCalendar',
  Type.Object({
    country: Country,
    year: Type.Integer({ examples: [2026] }),
    countries: Type.Array(Country, { description: 'Every country whose holidays are known' }),
    holidays: Type.Array(
      Type.Object({
        date: Day,
        name: Type.String({ description: 'In English or German, by Accept-Language', examples: ['Christmas Day'] }),
      }),
    ),
  }),
)
