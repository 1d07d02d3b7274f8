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
const leastJourneys = 20
/** Days after which a journey weighs half: for the usual times, and for what is different lately. */
const halfLifeDays = { usual: 90, lately: 14 }
/** The whole weeks of a year, so that weekdays and what depends on them (Black Friday) are the same. */
const yearDays = 364
/** Older journeys weigh next to nothing, and what came next a year ago is younger. */
export const oldestDays = 730
/** The age of a day that nothing is known of: it weighs nothing. */
export const notKnown = oldestDays + 1
/** So many of the days that came next a year ago show what comes next: whole weeks, so that all weekdays are the same. */
const nextDays = 7
/** Journeys that weigh less are left out. */
const noise = 0.001
/** Weight of each day of a journey, by its age in days. */
const weights = {
  usual: halvings(halfLifeDays.usual),
  lately: halvings(halfLifeDays.lately),
  before: halvings(halfLifeDays.lately, yearDays + 1),
  next: weighing((age) => (age <= yearDays && age > yearDays - nextDays ? 1 : 0)),
}
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
  /** Of a carrier: by the number of weeks that have passed since, until it is settled. */
  weeks: Map<number, Counts> | undefined
  /** A year ago: what was lately then, and what came next. */
  before: Counts | undefined
  next: Counts | undefined
  shares: Shares
  /** How fast its parcels are lately, and were then, compared with its shares. */
  pace: { lately: number; before: number; next: number }
  weekdayShares: Shares[]
  /** Answers by weekday: each is made when it is first needed. */
  answers: (Answer | undefined)[]
}

interface CountedJourney {
  weekday: number
  lastDay: number
  ages: Int32Array
  hasArrived: boolean
}

/** How parcels that are sent on a weekday arrive, and from how many journeys that is known. */
export interface Answer {
  basis: Basis
  sampleSize: number
  /** The share that takes so many working days or fewer. */
  shares: Shares
  /** The number that most parcels take. */
  likeliest: number
}

/** Learns about a set of journeys, on five levels. Each level borrows from the wider one what it lacks itself. */
export class Cells {
  private readonly shop = newCell('shop', undefined)
  private readonly byName = new Map<string, Cell>()
  private readonly narrowest = new Map<string, Cell>()
  private changes: PaceChange[] = []
  private heldUp: { share: number; delays: Shares } = { share: 0, delays: anyParcel }

  get isEmpty(): boolean {
    return this.shop.usual.n === 0
  }

  /**
   * Counts a journey of a cell. `ages`: how many days ago each of its working days was, from the one it was sent on to the
   * `lastDay`, on which it arrived or, if it is still in transit, after which nothing is known.
   */
  add(narrowest: Cell, { weekday, lastDay, ages, hasArrived }: CountedJourney): void {
    const usual = weigh(scratch.usual, weights.usual, ages, lastDay)
    const isLate = (weights.lately[ages[lastDay] ?? notKnown] ?? 0) > noise
    const lately = isLate ? weigh(scratch.lately, weights.lately, ages, lastDay) : undefined
    // Most journeys are too young for these.
    const isOld = (ages[0] ?? 0) > yearDays - nextDays
    const before = isOld ? weigh(scratch.before, weights.before, ages, lastDay) : undefined
    const next = isOld ? weigh(scratch.next, weights.next, ages, lastDay) : undefined
    for (let cell: Cell | undefined = narrowest; cell; cell = cell.parent) {
      if (usual) cell.usual.add(lastDay, usual, hasArrived)
      if (lately) cell.lately?.add(lastDay, lately, hasArrived)
      if (before) cell.before?.add(lastDay, before, hasArrived)
      if (next) cell.next?.add(lastDay, next, hasArrived)
      if (cell.weeks) addToWeeks(cell.weeks, lastDay, ages, hasArrived)
      if (cell.weekdays === undefined || !usual) continue
      const counts = cell.weekdays[weekday] ?? new Counts()
      counts.add(lastDay, usual, hasArrived)
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

/** Each day of a journey counts in the week it was in. */
function addToWeeks(weeks: Map<number, Counts>, lastDay: number, ages: Int32Array, hasArrived: boolean): void {
  for (let day = 0; day <= lastDay; day += 1) {
    const age = ages[day] ?? notKnown
    if (age === notKnown) continue
    const week = Math.floor((age - 1) / 7)
    const counts = weeks.get(week) ?? new Counts()
    weeks.set(week, counts)
    counts.addDay(day, hasArrived && day === lastDay)
  }
}

const scratch = { usual: newScratch(), lately: newScratch(), before: newScratch(), next: newScratch() }

function newScratch(): Float64Array {
  return new Float64Array(longest + 1)
}

/** The weights of the days of a journey; undefined if all are no more than noise. */
function weigh(into: Float64Array, byAge: Float64Array, ages: Int32Array, lastDay: number): Float64Array | undefined {
  let most = 0
  for (let day = 0; day <= lastDay; day += 1) {
    const weight = byAge[ages[day] ?? notKnown] ?? 0
    into[day] = weight
    most = Math.max(most, weight)
  }
  return most > noise ? into : undefined
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

/** Half after so many days, counted from an age on; nothing before it. */
function halvings(days: number, from = 0): Float64Array {
  return weighing((age) => (age < from ? 0 : 0.5 ** ((age - from) / days)))
}

function weighing(weightAt: (age: number) => number): Float64Array {
  return Float64Array.from({ length: oldestDays + 1 }, (_, age) => weightAt(age))
}

/** Names a route by all that distinguishes it. */
export function keyOf({ carrier, service, originCountry, destinationCountry, destinationZip }: Route): string {
  return `${carrier}\n${service}\n${originCountry}\n${destinationCountry}\n${destinationZip?.trim().slice(0, 2)}`
}

/** The names of the cells of a route. A carrier has separate cells at home and abroad. */
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
