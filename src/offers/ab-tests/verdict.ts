import { dayMs } from '../../platform/foundation/clock.ts'
import type { Difference, Verdict, VerdictKind } from './schema.ts'
import { chancesToBeBest, differenceInterval, neededPerSample, type Trials } from './statistics.ts'

/** With fewer, intervals are so wide that a verdict would be a guess, and looking every day would find one by chance. */
const minCustomers = 100
const minConversions = 10
/** From this chance on, somebody is ahead. */
const leadingFrom = 0.8
/** A difference of less than this part of the conversion is not worth waiting for. */
const negligible = 0.2

interface Arm extends Trials {
  campaignId: string
}

interface Evidence {
  arms: readonly Arm[]
  holdout: Trials | undefined
  isMismatched: boolean
  /** How long customers have been assigned. */
  elapsedMs: number
  isRunning: boolean
}

/** The verdict of a test until now: the leader against the best other variant, or against the holdout if it is alone. */
export function verdictOf(evidence: Evidence): Verdict {
  const [leader, second] = evidence.arms.filter(({ total }) => total > 0).toSorted((a, b) => rateOf(b) - rateOf(a))
  const other = second ?? (evidence.arms.length === 1 && evidence.holdout?.total ? evidence.holdout : undefined)
  if (leader === undefined || other === undefined) {
    return {
      ...nothing,
      kind: evidence.isMismatched ? 'mismatched' : 'too_early',
      campaign_id: leader?.campaignId ?? null,
    }
  }
  const compared = second ? evidence.arms : [leader, other]
  const chance = chancesToBeBest(compared)[compared.indexOf(leader)] ?? 0
  const needed = neededPerSample(rateOf(leader), rateOf(other))
  return {
    kind: kindOf(evidence, leader, other, chance),
    campaign_id: leader.campaignId,
    compared_with: second ? 'variant' : 'holdout',
    other_campaign_id: second?.campaignId ?? null,
    chance: rounded(chance),
    difference: toDifference(leader, other),
    needed_customers: needed ?? null,
    days_left:
      needed === undefined || !evidence.isRunning ? null : daysUntil(needed, [leader, other], evidence.elapsedMs),
  }
}

const nothing = {
  compared_with: null,
  other_campaign_id: null,
  chance: null,
  difference: null,
  needed_customers: null,
  days_left: null,
}

function kindOf({ isMismatched }: Evidence, leader: Trials, other: Trials, chance: number): VerdictKind {
  if (isMismatched) return 'mismatched'
  if (Math.min(leader.total, other.total) < minCustomers) return 'too_early'
  if (leader.successes + other.successes < minConversions) return 'too_early'
  const { low, high } = differenceInterval(leader, other)
  if (low > 0) return 'better'
  if (Math.max(-low, high) < negligible * rateOf(leader)) return 'no_difference'
  return chance >= leadingFrom ? 'leading' : 'too_early'
}

/** Null while one of them has nobody. */
export function toDifference(first: Trials, second: Trials): Difference | null {
  if (first.total === 0 || second.total === 0) return null
  const { low, high } = differenceInterval(first, second)
  return { value: rounded(rateOf(first) - rateOf(second)), low: rounded(low), high: rounded(high) }
}

function daysUntil(needed: number, arms: readonly Trials[], elapsedMs: number): number | null {
  if (elapsedMs <= 0) return null
  const days = arms.map(({ total }) => ((needed - total) * elapsedMs) / (total * dayMs))
  return Math.max(0, Math.ceil(Math.max(...days)))
}

function rateOf({ successes, total }: Trials): number {
  return successes / total
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}
