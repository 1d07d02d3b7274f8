import type { ShopContext } from '../../platform/foundation/context.ts'
import type { ArmCounts } from './results-store.ts'
import { endOf, testStatusOf } from './rules.ts'
import type { AbTestResults } from './schema.ts'
import { chancesToBeBest, chiSquareChance, meanInterval, type Trials, wilson } from './statistics.ts'
import type { StoredTest } from './store.ts'
import { toDifference, verdictOf } from './verdict.ts'

/** Below this p-value the split is considered faulty: chance causes that once in a thousand tests. */
const mismatchBelow = 0.001
/** With fewer expected customers in an arm, the chi-square test is not reliable. */
const minExpected = 5

const nothing: Omit<ArmCounts, 'campaignId'> = {
  customers: 0,
  exposures: 0,
  clicks: 0,
  orders: 0,
  converted: 0,
  revenue: 0,
  revenueSquares: 0,
  otherCurrencies: 0,
}

export function toResults(
  context: Pick<ShopContext, 'now' | 'shop'>,
  test: StoredTest,
  names: ReadonlyMap<string, string>,
  arms: readonly ArmCounts[],
): AbTestResults {
  const countsOf = (campaignId: string | null) => arms.find((arm) => arm.campaignId === campaignId) ?? nothing
  const counts = test.variants.map(({ campaignId }) => countsOf(campaignId))
  const chances = chancesToBeBest(
    counts.map(({ converted, customers }) => ({ successes: converted, total: customers })),
  )
  const hasCustomers = counts.some(({ customers }) => customers > 0)
  const heldOut = test.holdout_percentage ?? 0
  const status = testStatusOf({ start: test.start_date, end: test.end_date }, test.ended_at, context.now)
  const end = endOf(test, context.now)
  const ratio = sampleRatio([
    { count: countsOf(null).customers, share: heldOut },
    ...test.variants.map(({ campaignId, allocation }) => ({
      count: countsOf(campaignId).customers,
      share: ((100 - heldOut) * allocation) / 100,
    })),
  ])
  const holdout = test.has_holdout ? toTrials(countsOf(null)) : undefined
  return {
    uuid: test.id,
    name: test.name,
    status,
    segment: test.segment,
    campaign_type: test.campaign_type,
    from: test.start_date.toISOString(),
    to: end.toISOString(),
    end_date: test.end_date?.toISOString() ?? null,
    ended_at: test.ended_at?.toISOString() ?? null,
    currency: context.shop.currency,
    sample_ratio: ratio,
    verdict: verdictOf({
      arms: test.variants.map(({ campaignId }, index) => ({ campaignId, ...toTrials(counts[index] ?? nothing) })),
      holdout,
      isMismatched: ratio.is_mismatched,
      // A test does not run before it was created, whatever start was given.
      elapsedMs: end.getTime() - Math.max(test.start_date.getTime(), test.created_at.getTime()),
      isRunning: status === 'running',
    }),
    variants: test.variants.map(({ campaignId, allocation }, index) => ({
      campaign_id: campaignId,
      name: names.get(campaignId) ?? '',
      allocation,
      ...toArm(counts[index] ?? nothing),
      chance_to_be_best: hasCustomers ? rounded(chances[index] ?? 0, 4) : null,
      difference_to_holdout: holdout ? toDifference(toTrials(counts[index] ?? nothing), holdout) : null,
    })),
    holdout: test.has_holdout ? { percentage: heldOut, ...toArm(countsOf(null)) } : null,
  }
}

function toTrials({ converted, customers }: Omit<ArmCounts, 'campaignId'>): Trials {
  return { successes: converted, total: customers }
}

function toArm(counts: Omit<ArmCounts, 'campaignId'>) {
  const { customers, converted, revenue, revenueSquares } = counts
  const conversion = customers === 0 ? undefined : wilson(converted, customers)
  const mean = customers < 2 ? undefined : meanInterval(revenue, revenueSquares, customers)
  return {
    customers,
    exposures: counts.exposures,
    clicks: counts.clicks,
    orders: counts.orders,
    converted_customers: converted,
    conversion: conversion
      ? {
          rate: rounded(converted / customers, 4),
          low: rounded(conversion.low, 4),
          high: rounded(conversion.high, 4),
        }
      : null,
    revenue: rounded(revenue, 2),
    orders_in_other_currencies: counts.otherCurrencies,
    revenue_per_customer: mean
      ? { mean: rounded(revenue / customers, 2), low: rounded(mean.low, 2), high: rounded(mean.high, 2) }
      : null,
  }
}

/** Whether customers are split as allocated. If not, part of one arm was lost. */
export function sampleRatio(arms: readonly { count: number; share: number }[]): AbTestResults['sample_ratio'] {
  const allocated = arms.filter(({ share }) => share > 0)
  const total = allocated.reduce((sum, { count }) => sum + count, 0)
  const expected = allocated.map(({ share }) => (total * share) / 100)
  if (allocated.length < 2 || Math.min(...expected) < minExpected) return { is_mismatched: false, p_value: null }
  const chance = chiSquareChance(
    allocated.map(({ count }) => count),
    expected,
  )
  return { is_mismatched: chance < mismatchBelow, p_value: rounded(chance, 6) }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
