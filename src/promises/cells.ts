import type { Basis, Route } from './journeys.ts'
import { anyParcel, bestStrength, Counts, cumulated, delayed, type Shares, shrunk, tilted } from './shares.ts'

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
/** So many of the days that came next a year ago show what comes next. */
const nextDays = 10
/** So many parcels of any kind are added to a shop's own. */
const strengthOfAny = 4

interface Cell {
  level: Level
  parent: Cell | undefined
  usual: Counts
  /** By the weekday of sending, from 1; none for a route: too few, it follows its country. */
  weekdays: (Counts | undefined)[] | undefined
  lately: Counts | undefined
  /** A year ago: what was lately then, and what came next. */
  before: Counts | undefined
  next: Counts | undefined
  shares: Shares
  latelyShares: Shares
  beforeShares: Shares
  nextShares: Shares
  weekdayShares: Shares[]
  /** What is answered, by weekday: made when it is first asked for. */
  answers: (Shares | undefined)[]
}

/** What is learnt about a set of journeys, on five levels. Each level borrows from the wider one what it lacks itself. */
export class Cells {
  private readonly shop = newCell('shop', undefined)
  private readonly byName = new Map<string, Cell>()
  private readonly narrowest = new Map<string, Cell>()
  private heldUp: { share: number; delays: Shares } = { share: 0, delays: anyParcel }

  get isEmpty(): boolean {
    return this.shop.usual.n === 0
  }

  /** Counts a journey that began and ended so many days ago. */
  add(route: Route, weekday: number, taken: number, age: { sent: number; delivered: number }): void {
    const usual = 0.5 ** (age.delivered / halfLifeDays.usual)
    const lately = 0.5 ** (age.delivered / halfLifeDays.lately)
    const before = age.delivered > yearDays ? 0.5 ** ((age.delivered - yearDays) / halfLifeDays.lately) : 0
    const isNext = age.sent <= yearDays && age.sent > yearDays - nextDays
    for (let cell: Cell | undefined = this.cellFor(route); cell; cell = cell.parent) {
      cell.usual.add(taken, usual)
      // Below that it is no more than noise.
      if (lately > 0.001) cell.lately?.add(taken, lately)
      if (before > 0.001) cell.before?.add(taken, before)
      if (isNext) cell.next?.add(taken, 1)
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
  }

  /** How parcels that are sent on a weekday arrive, by working days, and from how many journeys that is known. */
  answer(route: Route, weekday: number): { basis: Basis; sampleSize: number; shares: Shares } | undefined {
    if (this.isEmpty) return undefined
    const cell = this.findCell(route)
    let shares = cell.answers[weekday]
    if (shares === undefined) {
      // A route does on a weekday, and lately, what its country does.
      const wider = cell.weekdays ? cell : (cell.parent ?? cell)
      const ofWeekday = wider.weekdayShares[weekday] ?? wider.shares
      const now = tilted(tilted(cell.shares, ofWeekday, wider.shares), wider.latelyShares, wider.shares)
      const then = tilted(now, wider.nextShares, wider.beforeShares)
      shares = cumulated(delayed(then, this.heldUp.share, this.heldUp.delays))
      cell.answers[weekday] = shares
    }
    let named: Cell = cell
    while (named.parent && named.usual.n < leastJourneys) named = named.parent
    return { basis: basisOf[named.level], sampleSize: named.usual.n, shares }
  }

  private cellFor(route: Route): Cell {
    const names = namesOf(route)
    const found = this.narrowest.get(names.key)
    if (found) return found
    let cell = this.shop
    for (const level of levels.slice(1)) {
      const name = names[level]
      if (name === undefined) break
      const known: Cell = this.byName.get(name) ?? newCell(level, cell)
      this.byName.set(name, known)
      cell = known
    }
    this.narrowest.set(names.key, cell)
    return cell
  }

  private findCell(route: Route): Cell {
    const names = namesOf(route)
    const found = this.narrowest.get(names.key)
    if (found) return found
    for (const level of levels.toReversed()) {
      const cell = this.byName.get(names[level] ?? '')
      if (cell) return cell
    }
    return this.shop
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
  settlePart(withWeekdays, { counts: 'lately', shares: 'latelyShares', from: 'shares' })
  settlePart(withWeekdays, { counts: 'before', shares: 'beforeShares', from: 'shares' })
  settlePart(withWeekdays, { counts: 'next', shares: 'nextShares', from: 'beforeShares' })
}

/** What the counts say, where there are few: what the wider cell makes of the shares that they come from. */
function settlePart(
  cells: Cell[],
  part: { counts: 'lately' | 'before' | 'next'; shares: keyof Parts; from: keyof Parts },
): void {
  const counted = cells.map((cell) => ({
    cell,
    counts: cell[part.counts] ?? noCounts,
    expected: cell.parent ? tilted(cell[part.from], cell.parent[part.shares], cell.parent[part.from]) : cell[part.from],
  }))
  const strength = bestStrength(counted)
  for (const { cell, counts, expected } of counted) cell[part.shares] = shrunk(counts, expected, strength)
}

type Parts = Pick<Cell, 'shares' | 'latelyShares' | 'beforeShares' | 'nextShares'>

const noCounts = new Counts()

function newCell(level: Level, parent: Cell | undefined): Cell {
  const isWide = level !== 'route'
  return {
    level,
    parent,
    usual: new Counts(),
    weekdays: isWide ? [] : undefined,
    lately: isWide ? new Counts() : undefined,
    before: isWide ? new Counts() : undefined,
    next: isWide ? new Counts() : undefined,
    shares: anyParcel,
    latelyShares: anyParcel,
    beforeShares: anyParcel,
    nextShares: anyParcel,
    weekdayShares: [],
    answers: [],
  }
}

/** The names of the cells of a route. Carriers are told apart at home and abroad. */
function namesOf(route: Route): Record<Level, string | undefined> & { key: string } {
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
    key: ofRoute ?? ofCountry,
  }
}
