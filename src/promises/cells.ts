import type { Basis, Route } from './journeys.ts'
import { type PaceChange, paceChangesOf, paceOf, unsteadilyPaced } from './pace.ts'
import { anyParcel, bestStrength, Counts, cumulated, delayed, longest, type Shares, shrunk, tilted } from './shares.ts'

/** From the widest to the narrowest. */
const levels = ['shop', 'carrier', 'service', 'country', 'route'] as const
type Level = (typeof levels)[number]

/** A service of a carrier, whatever the country, is still the carrier's. */
const basisOf: Record<Level, Basis> = {
  shop: 'shop',
  carrier: 'carrier',
  service: 'carrier',
  country: 'country',
  route: 'route',
}

/** Fewer journeys are no basis of their own: the narrowest level that has as many is named. */
export const leastJourneys = 20
/** Days after which a journey weighs half: of its way, and of what is different lately. */
const halfLifeDays = { usual: 90, lately: 14 }
/** As many weeks as there are in a year, so that weekdays and what hangs on them (Black Friday) are the same. */
const yearDays = 364
/** Older journeys weigh next to nothing, and what came next a year ago is younger. */
export const oldestDays = 730
const weights = { usual: halvings(halfLifeDays.usual), lately: halvings(halfLifeDays.lately) }
/** So many of the days that came next a year ago show what comes next. */
const nextDays = 10
/** So many parcels of the wider cell's pace are added to a cell's own: two cells may well differ by a seventh (1/√50). */
const strengthOfPace = 50
/** So many parcels of any kind are added to a shop's own. */
const strengthOfAny = 4

export interface Cell {
  level: Level
  parent: Cell | undefined
  usual: Counts
  /** By the weekday of sending, from 1; none for a route: too few, it follows its country. */
  weekdays: (Counts | undefined)[] | undefined
  lately: Counts | undefined
  /** Of a carrier: by the number of weeks since the sending, until it is settled. */
  weeks: Map<number, Counts> | undefined
  /** A year ago: what was lately then, and what came next. */
  before: Counts | undefined
  next: Counts | undefined
  shares: Shares
  /** How fast its parcels are lately, and were then, compared with its shares. */
  pace: { lately: number; before: number; next: number }
  weekdayShares: Shares[]
  /** What is answered, by weekday: made when it is first asked for. */
  answers: (Answer | undefined)[]
}

/** How parcels that are sent on a weekday arrive, and from how many journeys that is known. */
export interface Answer {
  basis: Basis
  sampleSize: number
  /** The share that takes so many working days or fewer. */
  shares: Shares
  /** How many most take. */
  likeliest: number
}

/** What is learnt about a set of journeys, on five levels. Each level borrows from the wider one what it lacks itself. */
export class Cells {
  private readonly shop = newCell('shop', undefined)
  private readonly byName = new Map<string, Cell>()
  private readonly narrowest = new Map<string, Cell>()
  private changes: PaceChange[] = []
  private heldUp: { share: number; delays: Shares } = { share: 0, delays: anyParcel }

  get isEmpty(): boolean {
    return this.shop.usual.n === 0
  }

  /** Counts a journey of a cell that began and ended so many days ago. */
  add(narrowest: Cell, weekday: number, taken: number, sentAge: number, deliveredAge: number): void {
    const usual = weights.usual[deliveredAge] ?? 0
    const lately = weights.lately[deliveredAge] ?? 0
    const before = deliveredAge > yearDays ? (weights.lately[deliveredAge - yearDays] ?? 0) : 0
    const isNext = sentAge <= yearDays && sentAge > yearDays - nextDays
    for (let cell: Cell | undefined = narrowest; cell; cell = cell.parent) {
      cell.usual.add(taken, usual)
      // Below that it is no more than noise.
      if (lately > 0.001) cell.lately?.add(taken, lately)
      if (before > 0.001) cell.before?.add(taken, before)
      if (isNext) cell.next?.add(taken, 1)
      if (cell.weeks) inWeek(cell.weeks, Math.floor(sentAge / 7)).add(taken, 1)
      if (cell.weekdays === undefined) continue
      const counts = cell.weekdays[weekday] ?? new Counts()
      counts.add(taken, usual)
      cell.weekdays[weekday] = counts
    }
  }

  /** After the last journey; `heldUp` is the share of parcels that a disruption delays, and by how much. */
  settle(heldUp: { share: number; delays: Shares }): void {
    this.heldUp = heldUp
    const cells = [this.shop, ...this.byName.values()]
    for (const level of levels) settleLevel(cells.filter((cell) => cell.level === level))
    this.changes = paceChangesOf(cells.flatMap(({ weeks, shares }) => (weeks ? [{ weeks, shares }] : [])))
    for (const cell of cells) cell.weeks = undefined
  }

  answer(route: Route, weekday: number): Answer | undefined {
    if (this.isEmpty) return undefined
    const cell = this.narrowest.get(keyOf(route)) ?? this.findCell(route)
    const answer = cell.answers[weekday] ?? this.makeAnswer(cell, weekday)
    cell.answers[weekday] = answer
    return answer
  }

  /** The narrowest cell of a route, made if there is none. */
  cellFor(route: Route): Cell {
    const names = namesOf(route)
    let cell = this.shop
    for (const level of levels.slice(1)) {
      const name = names[level]
      if (name === undefined) break
      const known: Cell = this.byName.get(name) ?? newCell(level, cell)
      this.byName.set(name, known)
      cell = known
    }
    this.narrowest.set(keyOf(route), cell)
    return cell
  }

  private findCell(route: Route): Cell {
    const names = namesOf(route)
    for (const level of levels.toReversed()) {
      const cell = this.byName.get(names[level] ?? '')
      if (cell) return cell
    }
    return this.shop
  }

  private makeAnswer(cell: Cell, weekday: number): Answer {
    // A route does on a weekday, and lately, what its country does.
    const wider = cell.weekdays ? cell : (cell.parent ?? cell)
    const ofWeekday = wider.weekdayShares[weekday] ?? wider.shares
    const { lately, before, next } = wider.pace
    const expected = tilted(cell.shares, ofWeekday, wider.shares)
    const coming = unsteadilyPaced(expected, (lately * next) / before, this.changes)
    const shares = delayed(coming, this.heldUp.share, this.heldUp.delays)
    let named: Cell = cell
    while (named.parent && named.usual.n < leastJourneys) named = named.parent
    return {
      basis: basisOf[named.level],
      sampleSize: named.usual.n,
      shares: cumulated(shares),
      // The last one is that of all longer journeys together.
      likeliest: shares.indexOf(Math.max(...shares.subarray(0, longest))),
    }
  }
}

function settleLevel(cells: Cell[]): void {
  const parentOf = (cell: Cell) => cell.parent ?? cell
  const strength = bestStrength(cells.map((cell) => ({ counts: cell.usual, expected: parentOf(cell).shares })))
  for (const cell of cells) {
    cell.shares = cell.parent
      ? shrunk(cell.usual, cell.parent.shares, strength)
      : shrunk(cell.usual, anyParcel, strengthOfAny)
  }
  const withWeekdays = cells.filter((cell) => cell.weekdays !== undefined)
  const ofWeekdays = withWeekdays.flatMap((cell) =>
    [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      cell,
      weekday,
      counts: cell.weekdays?.[weekday] ?? noCounts,
      expected: cell.parent
        ? tilted(cell.shares, cell.parent.weekdayShares[weekday] ?? cell.parent.shares, cell.parent.shares)
        : cell.shares,
    })),
  )
  const weekdayStrength = bestStrength(ofWeekdays)
  for (const { cell, weekday, counts, expected } of ofWeekdays) {
    cell.weekdayShares[weekday] = shrunk(counts, expected, weekdayStrength)
  }
  for (const cell of withWeekdays) {
    for (const part of ['lately', 'before', 'next'] as const) {
      const expected = cell.parent ? cell.parent.pace[part] : 1
      cell.pace[part] = paceOf(cell[part] ?? noCounts, cell.shares, expected, strengthOfPace)
    }
  }
}

function inWeek(weeks: Map<number, Counts>, week: number): Counts {
  const counts = weeks.get(week) ?? new Counts()
  weeks.set(week, counts)
  return counts
}

const noCounts = new Counts()

function newCell(level: Level, parent: Cell | undefined): Cell {
  const isWide = level !== 'route'
  return {
    level,
    parent,
    usual: new Counts(),
    weekdays: isWide ? [] : undefined,
    lately: isWide ? new Counts() : undefined,
    weeks: level === 'carrier' ? new Map() : undefined,
    before: isWide ? new Counts() : undefined,
    next: isWide ? new Counts() : undefined,
    shares: anyParcel,
    pace: { lately: 1, before: 1, next: 1 },
    weekdayShares: [],
    answers: [],
  }
}

/** What a journey weighs, by its age in days. */
function halvings(days: number): Float64Array {
  return Float64Array.from({ length: oldestDays + 1 }, (_, age) => 0.5 ** (age / days))
}

/** Names a route by all that is told apart. */
export function keyOf({ carrier, service, originCountry, destinationCountry, destinationZip }: Route): string {
  return `${carrier}\n${service}\n${originCountry}\n${destinationCountry}\n${destinationZip?.trim().slice(0, 2)}`
}

/** The names of the cells of a route. Carriers are told apart at home and abroad. */
function namesOf(route: Route): Record<Level, string | undefined> {
  const { carrier, service, originCountry, destinationCountry, destinationZip } = route
  const kind = originCountry === null ? '?' : originCountry === destinationCountry ? 'home' : 'abroad'
  const ofCarrier = `${carrier}\n${kind}`
  const ofService = `${ofCarrier}\n${service}`
  const ofCountry = `${ofService}\n${originCountry}\n${destinationCountry}`
  const zip = destinationZip?.trim().slice(0, 2)
  const ofRoute = zip && destinationCountry ? `${ofCountry}\n${zip}` : undefined
  return {
    shop: '',
    carrier: ofCarrier,
    service: ofService,
    country: ofCountry,
    route: ofRoute,
  }
}
