import type { PromiseReport } from './schema.ts'

/** Promises of one route, percentile and state. */
export interface PromiseCount {
  carrier: string | null
  country: string | null
  percentile: number | null
  state: string
  count: number
  /** Those that stated a share, and the sum of these shares. */
  stated: number
  statedSum: number
  /** Those with an earliest day, and the days of their windows. */
  windows: number
  windowDays: number
}

type Figures = PromiseReport['total']

export function figuresOf(counts: PromiseCount[]): Figures {
  const of = (...states: string[]) =>
    sum(counts.filter(({ state }) => states.includes(state)).map(({ count }) => count))
  const [kept, broken] = [of('kept'), of('broken')]
  const windows = sum(counts.map((each) => each.windows))
  return {
    promised: sum(counts.map(({ count }) => count)),
    kept,
    broken,
    open: of('open', 'at_risk'),
    at_risk: of('at_risk'),
    kept_share: shareOf(kept, kept + broken),
    mean_width_days: shareOf(sum(counts.map(({ windowDays }) => windowDays)), windows),
    calibration: calibrationOf(counts),
  }
}

/** Only what is decided shows whether promises held. */
function calibrationOf(counts: PromiseCount[]): Figures['calibration'] {
  const decided = counts.filter(({ state }) => state === 'kept' || state === 'broken')
  const percentiles = [...new Set(decided.flatMap(({ percentile }) => percentile ?? []))].sort((a, b) => b - a)
  return percentiles.map((percentile) => {
    const those = decided.filter((each) => each.percentile === percentile)
    const all = sum(those.map(({ count }) => count))
    const kept = sum(those.filter(({ state }) => state === 'kept').map(({ count }) => count))
    const stated = sum(those.map((each) => each.stated))
    return {
      percentile,
      stated: shareOf(sum(those.map(({ statedSum }) => statedSum)), stated),
      decided: all,
      kept,
      share: shareOf(kept, all),
    }
  })
}

/** The counts of each route, most promises first. */
export function byRoute(
  counts: PromiseCount[],
): { carrier: string | null; country: string | null; counts: PromiseCount[] }[] {
  const routes = new Map<string, PromiseCount[]>()
  for (const each of counts) {
    const name = JSON.stringify([each.carrier, each.country])
    routes.set(name, [...(routes.get(name) ?? []), each])
  }
  return [...routes.values()]
    .map((those) => ({ carrier: those[0]?.carrier ?? null, country: those[0]?.country ?? null, counts: those }))
    .sort((left, right) => size(right) - size(left) || compare(left, right))
}

function size({ counts }: { counts: PromiseCount[] }): number {
  return sum(counts.map(({ count }) => count))
}

function compare(
  left: { carrier: string | null; country: string | null },
  right: { carrier: string | null; country: string | null },
): number {
  return `${left.carrier} ${left.country}` < `${right.carrier} ${right.country}` ? -1 : 1
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** To four digits. */
function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
}
