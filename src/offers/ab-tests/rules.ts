import { sha256 } from '../../platform/foundation/crypto.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { type CampaignPeriod, checkPeriod, promotionTypeOf } from '../campaigns/rules.ts'
import type { AbTestCreation, TestStatus } from './schema.ts'

export interface Variant {
  campaignId: string
  /** Percent of the customers who are not in the holdout. */
  allocation: number
}

/** The inputs of the assignment. They never change once a test exists. */
export interface Split {
  id: string
  holdoutPercentage: number
  variants: readonly Variant[]
}

const buckets = 10_000

/**
 * The variant of a customer, or null for the holdout. A digest of test and customer decides, so that every node decides
 * the same and tests split customers independently.
 */
export function assign(test: Split, customer: string): string | null {
  const bucket = sha256(`${test.id} ${customer}`).readUIntBE(0, 6) % buckets
  const heldOut = test.holdoutPercentage * (buckets / 100)
  if (bucket < heldOut) return null
  const place = ((bucket - heldOut) / (buckets - heldOut)) * 100
  let upTo = 0
  for (const { campaignId, allocation } of test.variants) {
    upTo += allocation
    if (place < upTo) return campaignId
  }
  return test.variants.at(-1)?.campaignId ?? null
}

export function testStatusOf({ start, end }: CampaignPeriod, endedAt: Date | null, now: Date): TestStatus {
  if (endedAt !== null || (end !== null && now >= end)) return 'completed'
  return now < start ? 'scheduled' : 'running'
}

/** The end of the evaluation: the planned end, the manual end, or now. */
export function endOf(test: { end_date: Date | null; ended_at: Date | null }, now: Date): Date {
  const ends = [now, test.end_date, test.ended_at].filter((end) => end !== null)
  return new Date(Math.min(...ends.map((end) => end.getTime())))
}

/** The checks that do not need the campaigns. */
export function checkTest(body: AbTestCreation, period: CampaignPeriod): void {
  promotionTypeOf(body.campaign_type, 'campaign_type')
  checkPeriod(period)
  const sum = body.campaigns.reduce((total, { allocation }) => total + allocation, 0)
  if (sum !== 100) throw invalid(['body', 'campaigns'], `the allocations must sum to 100, not ${sum}`)
  const seen = new Set<string>()
  for (const [index, { campaign_id }] of body.campaigns.entries()) {
    const id = campaign_id.toLowerCase()
    if (seen.has(id)) throw invalid(['body', 'campaigns', index, 'campaign_id'], 'is there already')
    seen.add(id)
  }
  checkHoldout(body)
}

function checkHoldout({ has_holdout, holdout_percentage }: AbTestCreation): void {
  const loc = ['body', 'holdout_percentage']
  if (has_holdout && typeof holdout_percentage !== 'number') {
    const msg = 'field required with has_holdout'
    throw new ApiError('invalid_payload', `holdout_percentage: ${msg}`, { problems: [{ loc, msg, type: 'missing' }] })
  }
  if (!has_holdout && holdout_percentage) throw invalid(loc, 'is only for tests with has_holdout')
}

/** A test compares campaigns of the same kind. */
export function checkVariant(
  body: AbTestCreation,
  index: number,
  campaign: { segment: string; promotion_type: string },
): void {
  const loc = ['body', 'campaigns', index, 'campaign_id']
  if (campaign.promotion_type !== body.campaign_type) {
    throw invalid(
      loc,
      `is a ${campaign.promotion_type} campaign, the test is of ${body.campaign_type}`,
      'campaign_type_invalid',
    )
  }
  if (campaign.segment !== body.segment) {
    const segments = `${JSON.stringify(campaign.segment)}, the test for ${JSON.stringify(body.segment)}`
    throw invalid(loc, `is for the segment ${segments}`, 'campaign_type_invalid')
  }
}

export function testNotFound(id: string): ApiError {
  return new ApiError('a_b_test_not_found', `This shop has no A/B test ${id}.`)
}
