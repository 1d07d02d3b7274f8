import type { Histogram } from './numbers.ts'

/** Days are counted up to here; whatever took longer counts as this long. */
export const maxJourneyDays = 366

/**
 * The parcels to customers that were delivered on one day in UTC, of one carrier, to one country and by one service. A
 * list rather than an object: a busy shop has hundreds of groups per day, and their names would be most of the document.
 */
export type GroupTimes = readonly [
  carrier: string | null,
  country: string | null,
  service: string | null,
  counts: readonly [
    delivered: number,
    expected: number,
    onTime: number,
    predicted: number,
    early: number,
    held: number,
    late: number,
  ],
  /** By calendar days from when the order was placed, and from when the parcel was sent. */
  sincePlaced: Histogram,
  sinceFulfilled: Histogram,
]

/** The groups of a day, most parcels first. If a day has too many, the rest is one group without any name. */
export type DayTimes = GroupTimes[]

/** Parcels with the same journey, as they are counted. */
export interface CountedJourney {
  carrier: string | null
  country: string | null
  service: string | null
  /** Null: not known, or delivered before that. */
  placed: number | null
  fulfilled: number | null
  counts: GroupTimes[3]
}

/** The groups of a day, from its journeys. */
export function groupJourneys(journeys: CountedJourney[]): DayTimes {
  const groups = new Map<string, GroupParts>()
  for (const journey of journeys) {
    const key = JSON.stringify([journey.carrier, journey.country, journey.service])
    const group = groups.get(key) ?? newGroup(journey)
    groups.set(key, group)
    for (const [index, count] of journey.counts.entries()) group.counts[index] = (group.counts[index] ?? 0) + count
    const [delivered] = journey.counts
    if (journey.placed !== null) add(group.placed, journey.placed, delivered)
    if (journey.fulfilled !== null) add(group.fulfilled, journey.fulfilled, delivered)
  }
  return [...groups.values()]
    .map(({ journey: { carrier, country, service }, counts, placed, fulfilled }): GroupTimes => {
      const all = counts as unknown as GroupTimes[3] // as many as each journey has
      return [carrier, country, service, all, sorted(placed), sorted(fulfilled)]
    })
    .sort((left, right) => right[3][0] - left[3][0])
}

interface GroupParts {
  journey: CountedJourney
  counts: number[]
  placed: Map<number, number>
  fulfilled: Map<number, number>
}

function newGroup(journey: CountedJourney): GroupParts {
  return { journey, counts: journey.counts.map(() => 0), placed: new Map(), fulfilled: new Map() }
}

function add(histogram: Map<number, number>, days: number, count: number): void {
  histogram.set(days, (histogram.get(days) ?? 0) + count)
}

function sorted(histogram: Map<number, number>): Histogram {
  return [...histogram].sort(([left], [right]) => left - right)
}
