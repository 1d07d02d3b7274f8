import { after, dayMs, earliest, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { type CommitScope, inTransaction } from '../../platform/foundation/transaction.ts'
import { countDays, type ShopDay } from './count-store.ts'
import { countDeliveryTimes } from './count-times-store.ts'
import type { DayFigures } from './day-figures.ts'
import type { DayTimes } from './day-times.ts'
import { datesOf, type ReportPeriod } from './period.ts'
import {
  type DayContents,
  findKnownDays,
  findMarkedUntil,
  leaseChangedDays,
  lockProgress,
  markChangedDays,
  markEveryDay,
  saveDays,
  saveProgress,
} from './roll-up-store.ts'

type Scope = CommitScope & Pick<Context, 'now'>

export const rollUpEveryMs = minuteMs

/**
 * A change may be committed shortly after a run although its time is earlier, so each run looks this far back again.
 * Counting a day twice is harmless.
 */
const overlapMs = 2 * minuteMs

/** After this long without a run, marks are not looked for by time: every day is counted again. */
const maxGapMs = 31 * dayMs

/** Days that are counted in one transaction. */
const daysAtOnce = 20

/**
 * Changed days are counted while the caller waits if they have no more rows than this, about 20 ms. Otherwise the caller gets
 * what was counted last.
 */
const maxLiveRows = 5_000
const maxChanges = 2_000

/** Counts the days again that changed since the last run, of all shops. What is left when the time is over is still marked. */
export async function rollUpFigures(context: Scope, maxRunMs = Number.POSITIVE_INFINITY): Promise<void> {
  await inTransaction(context, async (context) => {
    const markedUntil = await lockProgress(context)
    if (isUsable(markedUntil, context.now)) await markChangedDays(context, after(markedUntil, -overlapMs))
    else await markEveryDay(context)
    await saveProgress(context)
  })
  const startedAt = performance.now()
  while (performance.now() - startedAt < maxRunMs) {
    if ((await countBatch(context)) < daysAtOnce) return
  }
}

/** Returns how many days were leased. The lock keeps an older count of another node from replacing a newer one. */
function countBatch(context: Scope): Promise<number> {
  return inTransaction(context, async (context) => {
    await lockProgress(context)
    const { leased, days } = await leaseChangedDays(context, daysAtOnce)
    await saveDays(context, await countDays(context, days), await countDeliveryTimes(context, days))
    return leased
  })
}

/** Not if nothing was counted yet, if that is too long ago, or if the clock was set back. */
function isUsable(markedUntil: Date | undefined, now: Date): markedUntil is Date {
  return markedUntil !== undefined && markedUntil <= after(now, overlapMs) && markedUntil >= after(now, -maxGapMs)
}

export interface Days<Contents> {
  /** By date; days on which nothing happened are missing. */
  days: Map<string, Contents>
  /** Every change up to this moment is counted. */
  asOf: Date
}

/** The figures of a period. */
export function readFigures(context: ShopContext, period: ReportPeriod): Promise<Days<DayFigures>> {
  return readDays(context, 'figures', period, async (days) =>
    (await countDays(context, days)).map(({ date, figures }) => [date, figures]),
  )
}

/** How long the deliveries of a period took. */
export function readDeliveryTimes(context: ShopContext, period: ReportPeriod): Promise<Days<DayTimes>> {
  return readDays(context, 'delivery_times', period, async (days) =>
    (await countDeliveryTimes(context, days)).map(({ date, times }) => [date, times]),
  )
}

/**
 * The figures that the job counted, with the changes since. Days that were never counted are counted now, and so are
 * changed ones if that is cheap. In a shop so busy that it is not, changes appear with the job's next run.
 */
async function readDays<Kind extends keyof DayContents>(
  context: ShopContext,
  kind: Kind,
  period: ReportPeriod,
  count: (days: ShopDay[]) => Promise<[date: string, contents: DayContents[Kind]][]>,
): Promise<Days<DayContents[Kind]>> {
  const { now } = context
  const countNow = async (dates: string[]) =>
    new Map(await count(dates.map((date) => ({ shopId: context.shop.id, date }))))
  const markedUntil = await findMarkedUntil(context)
  if (!isUsable(markedUntil, now)) return { days: await countNow(datesOf(period)), asOf: now }
  const since = after(markedUntil, -overlapMs)
  const known = await findKnownDays(context, kind, period, { since, limit: maxChanges })
  const changed = known.filter(({ changes }) => changes > 0)
  const rows = changed.reduce((sum, { size, changes }) => sum + size + changes, 0)
  const isCheap = rows <= maxLiveRows && changed.every(({ changes }) => changes < maxChanges)
  const stale = isCheap ? [] : changed.filter(({ countedAt }) => countedAt !== null)
  const counted = await countNow(changed.filter((day) => !stale.includes(day)).map(({ date }) => date))
  const days = new Map<string, DayContents[Kind]>()
  for (const { date, contents } of known) {
    const current = counted.get(date) ?? contents
    if (current) days.set(date, current)
  }
  const asOf = earliest([now, ...(isCheap ? [] : [markedUntil]), ...stale.flatMap(({ countedAt }) => countedAt ?? [])])
  return { days, asOf: asOf ?? now }
}
