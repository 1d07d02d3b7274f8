import type { FinishedJourney } from '../../src/orders/promise-model/journeys.ts'
import { calendarOf, type WorkCalendar } from '../../src/platform/calendars/calendars.ts'
import { type Day, dateOf, dayOf, isoWeekday } from '../../src/platform/calendars/days.ts'

/**
 * Parcels of an invented shop in Germany, made to try delivery promises on. They were made before the model that is tried
 * on them, and nothing here knows how that one counts: no transit time is drawn from a distribution. Each parcel is moved
 * day by day instead, and what comes out is what its carrier, its way and its days make of it:
 *
 * - It is sent on a day that is drawn by weekday (Mondays carry the weekend's orders) and by season (twice as many from the
 *   middle of November to Christmas), and is collected that day or, if it misses the collection, on the next.
 * - It needs a number of nights on the road, by carrier, service and country, one more in remote zip regions. Lorries run
 *   in nights after working days. Each night it may miss its connection.
 * - It is delivered on a delivery day of its carrier: Monday to Friday or, with less room, Saturday. There may be no room in the
 *   van, most of all on Mondays, and nobody may be at home: then it is tried on the next delivery day.
 * - Nothing moves on public holidays of the country, nor on one that only the south of Germany has and that calendars do not list.
 * - Season: from the middle of November to Christmas connections are missed more often and vans are full.
 * - Drift: one carrier becomes slower from month to month, one faster, one is reorganised and is worse from one day on.
 * - Strikes: one carrier stops for a week, one in France for four days, one keeps half of its parcels for a week. Afterwards
 *   vans are full for three days.
 * - One parcel in eighty goes astray and turns up after a wait with a heavy tail, at most 40 days.
 * - Some routes have about five parcels in all. One parcel in eight has no scan between sending and delivery.
 */
export function generateJourneys(options: GeneratorOptions = {}): FinishedJourney[] {
  const { seed = 1, from = '2024-07-01', to = '2026-02-28', parcelsPerDay = 40 } = options
  const random = randomFrom(seed)
  const journeys: FinishedJourney[] = []
  for (let day = dayOf(from); day <= dayOf(to); day += 1) {
    const isSeason = seasonOn(day)
    const expected = parcelsPerDay * (sendingByWeekday[isoWeekday(day) - 1] ?? 0) * (isSeason ? 2 : 1)
    if (germany.isHoliday(day)) continue
    const count = Math.floor(expected + random())
    for (let sent = 0; sent < count; sent += 1) journeys.push(sendParcel(pickLane(random), day, random))
  }
  return journeys
}

export interface GeneratorOptions {
  seed?: number
  from?: string
  to?: string
  parcelsPerDay?: number
}

/** How much of a usual day is sent from Monday to Sunday. */
const sendingByWeekday = [1.9, 1.4, 1.3, 1.2, 1.1, 0.2, 0]

interface Lane {
  carrier: string
  service: string
  country: string
  /** Nights on the road. */
  nights: number
  /** How often a parcel misses its connection on a night. */
  misses: number
  deliversOnSaturday: boolean
  /** Parcels, relative to the other lanes. */
  weight: number
}

type LaneRow = [
  carrier: string,
  service: string,
  country: string,
  nights: number,
  misses: number,
  deliversOnSaturday: boolean,
  weight: number,
]

const laneRows: LaneRow[] = [
  ['dhl', 'parcel', 'DE', 1, 0.1, true, 300],
  ['dhl', 'express', 'DE', 1, 0.02, true, 40],
  ['dhl', 'parcel', 'AT', 2, 0.12, false, 60],
  ['dhl', 'parcel', 'FR', 3, 0.2, true, 30],
  ['dhl', 'parcel', 'NL', 2, 0.1, true, 30],
  ['hermes', 'standard', 'DE', 2, 0.15, true, 160],
  ['ups', 'standard', 'DE', 1, 0.06, false, 70],
  ['ups', 'standard', 'FR', 2, 0.12, false, 35],
  ['ups', 'standard', 'IT', 3, 0.18, false, 30],
  ['ups', 'standard', 'ES', 4, 0.2, false, 20],
  ['ups', 'saver', 'ES', 1, 0.08, false, 6],
  ['gls', 'business', 'DE', 1, 0.08, false, 110],
  ['gls', 'business', 'PL', 2, 0.2, false, 30],
  ['gls', 'business', 'CZ', 2, 0.15, false, 15],
  // About five parcels each in 20 months.
  ['ups', 'standard', 'GR', 6, 0.25, false, 0.2],
  ['ups', 'standard', 'FI', 5, 0.15, false, 0.2],
  ['gls', 'business', 'PT', 5, 0.2, false, 0.2],
  ['dhl', 'express', 'IE', 2, 0.1, false, 0.2],
]

const lanes: Lane[] = laneRows.map(
  ([carrier, service, country, nights, misses, deliversOnSaturday, weight]): Lane => ({
    carrier,
    service,
    country,
    nights,
    misses,
    deliversOnSaturday,
    weight,
  }),
)

const totalWeight = lanes.reduce((sum, { weight }) => sum + weight, 0)

/** Zip regions (first digits) that are a night further away. */
const remoteRegions: Record<string, readonly string[]> = {
  DE: ['17', '18', '25', '94'],
  FR: ['20', '29', '06'],
  IT: ['07', '09', '90', '98'],
  ES: ['07', '35', '38'],
  AT: ['66', '99'],
}

interface Strike {
  carrier: string
  country?: string
  from: Day
  to: Day
  /** The share of parcels that is held. */
  share: number
}

const strikes: Strike[] = [
  { carrier: 'gls', from: dayOf('2024-10-14'), to: dayOf('2024-10-18'), share: 1 },
  { carrier: 'hermes', from: dayOf('2025-03-10'), to: dayOf('2025-03-15'), share: 1 },
  { carrier: 'ups', country: 'FR', from: dayOf('2025-06-16'), to: dayOf('2025-06-19'), share: 1 },
  { carrier: 'dhl', from: dayOf('2025-09-22'), to: dayOf('2025-09-27'), share: 0.5 },
  { carrier: 'ups', from: dayOf('2026-01-19'), to: dayOf('2026-01-23'), share: 1 },
]

const southernHolidays = ['2025-06-19', '2024-11-01', '2025-11-01'].map(dayOf)

const backlogDays = 3

const driftsFrom = dayOf('2024-07-01')
const reorganisedOn = dayOf('2025-05-05')

/** How much more often a carrier's parcels miss a connection or find the van full than at the beginning. */
function driftOf(carrier: string, day: Day): number {
  const months = (day - driftsFrom) / 30.4
  if (carrier === 'hermes') return 1 + 0.07 * months
  if (carrier === 'ups') return Math.max(0.4, 1 - 0.03 * months)
  if (carrier === 'gls') return day >= reorganisedOn ? 1.8 : 1
  return 1
}

function sendParcel(lane: Lane, sentOn: Day, random: () => number): FinishedJourney {
  const country = countryOf(lane.country)
  const zip = zipIn(lane.country, random)
  const isRemote = remoteRegions[lane.country]?.includes(zip.slice(0, 2)) ?? false
  // Whether this parcel is among those that a strike holds.
  const luck = random()
  const isHeld = (day: Day) => strikes.some((strike) => luck < strike.share && isDuring(strike, lane, day))
  const runs = (day: Day) => !germany.isHoliday(day) && !country.isHoliday(day) && !isHeld(day)

  const isCollectedToday = random() < 0.85 && runs(sentOn)
  let day = sentOn
  if (!isCollectedToday)
    do day += 1
    while (isoWeekday(day) > 6 || !runs(day))
  const collectedOn = day

  let nights = lane.nights + (isRemote ? 1 : 0)
  if (random() < 1 / 80) day += strayDays(random)
  while (nights > 0) {
    const isNight = isoWeekday(day) <= (lane.deliversOnSaturday ? 5 : 4) || (isoWeekday(day) === 5 && random() < 0.7)
    if (isNight && runs(day) && random() >= missesOf(lane, day)) nights -= 1
    day += 1
  }
  for (let attempts = 0; ; day += 1) {
    if (!isDeliveryDay(lane, day, zip) || !runs(day)) continue
    if (attempts === 0 && random() < fullVans(lane, day)) continue
    attempts += 1
    if (random() < 0.93 || attempts === 3) break
  }
  const hasScan = random() >= 1 / 8
  return {
    carrier: lane.carrier,
    service: lane.service,
    originCountry: 'DE',
    destinationCountry: lane.country,
    destinationZip: zip,
    sentAt: timeOn(sentOn, 9 + 6 * random()),
    inTransitAt: hasScan ? timeOn(collectedOn, 17 + 4 * random()) : null,
    deliveredAt: timeOn(day, day === sentOn ? 21.5 : 8 + 10 * random()),
  }
}

function missesOf(lane: Lane, day: Day): number {
  return Math.min(0.8, lane.misses * driftOf(lane.carrier, day) * (seasonOn(day) ? 2.2 : 1))
}

/** How likely there is no room for a parcel in the van of that day. */
function fullVans(lane: Lane, day: Day): number {
  const weekday = isoWeekday(day)
  const usual = weekday === 6 ? 0.35 : weekday === 1 ? 0.15 : 0.05
  const afterStrike = strikes.some((strike) => {
    const last = strike.to
    return isDuring(strike, lane, last) && day > last && day <= last + backlogDays + 2
  })
  const busy = (seasonOn(day) ? 0.12 : 0) + (afterStrike ? 0.4 : 0)
  return Math.min(0.8, usual * driftOf(lane.carrier, day) + busy)
}

function isDeliveryDay(lane: Lane, day: Day, zip: string): boolean {
  const weekday = isoWeekday(day)
  if (weekday === 7 || (weekday === 6 && !lane.deliversOnSaturday)) return false
  // Corpus Christi and All Saints' Day, in the south only.
  const isSouth = lane.country === 'DE' && (zip.startsWith('8') || zip.startsWith('7'))
  return !(isSouth && southernHolidays.includes(day))
}

function isDuring({ carrier, country, from, to }: Strike, lane: Lane, day: Day): boolean {
  return carrier === lane.carrier && (country ?? lane.country) === lane.country && day >= from && day <= to
}

function seasonOn(day: Day): boolean {
  const known = seasons.get(day)
  if (known !== undefined) return known
  const date = dateOf(day).slice(5)
  const isSeason = date >= '11-15' && date <= '12-23'
  seasons.set(day, isSeason)
  return isSeason
}

const seasons = new Map<Day, boolean>()

function strayDays(random: () => number): number {
  return Math.min(40, Math.floor(2 / (1 - random()) ** (1 / 1.5)))
}

function pickLane(random: () => number): Lane {
  let left = random() * totalWeight
  for (const lane of lanes) {
    left -= lane.weight
    if (left < 0) return lane
  }
  throw new Error('no lane')
}

/** A few regions have most of the people. */
function zipIn(country: string, random: () => number): string {
  const region = random() < 0.5 ? Math.floor(10 * random()) * 10 + 1 : Math.floor(100 * random())
  const rest = Math.floor(1_000 * random())
  return `${String(region).padStart(2, '0')}${String(rest).padStart(3, '0')}`.slice(0, country === 'AT' ? 4 : 5)
}

/** Caches the holidays. */
class HolidayLookup {
  readonly #known = new Map<Day, boolean>()
  readonly #calendar: WorkCalendar

  constructor(country: string) {
    this.#calendar = calendarOf(country, { weekend: [] })
  }

  isHoliday(day: Day): boolean {
    const known = this.#known.get(day) ?? !this.#calendar.isWorkingDay(dateOf(day))
    this.#known.set(day, known)
    return known
  }
}

const lookups = new Map<string, HolidayLookup>()

function countryOf(country: string): HolidayLookup {
  const lookup = lookups.get(country) ?? new HolidayLookup(country)
  lookups.set(country, lookup)
  return lookup
}

const germany = countryOf('DE')

function timeOn(day: Day, hour: number): Date {
  return new Date(day * 86_400_000 + Math.round(hour * 3_600_000))
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
