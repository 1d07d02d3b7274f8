import { type RawSearch, textIn } from '../../../kit/list/search.ts'

export interface CalendarSearch {
  /** Whose public holidays are shown. */
  country?: string | undefined
  year?: number | undefined
}

export function calendarSearch(search: RawSearch): CalendarSearch {
  const country = textIn(search, 'country')
  const year = Number(textIn(search, 'year'))
  return {
    country: country !== undefined && /^[A-Z]{2}$/.test(country) ? country : undefined,
    year: Number.isInteger(year) && year >= 2015 && year <= 2050 ? year : undefined,
  }
}
