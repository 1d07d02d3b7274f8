import type { Language } from '../../platform/foundation/languages.ts'
import { assign, type Split, testStatusOf } from '../ab-tests/rules.ts'
import { defaultSegment } from '../campaigns/rules.ts'
import type { OfferReason, ReasonCode } from './schema.ts'

export interface CandidateCampaign {
  id: string
  name: string
  segment: string
  type: string
  isEnabled: boolean
  /** Milliseconds, as all times that are compared for each of a thousand campaigns: dates compare many times slower. */
  startsAt: number
  /** Infinity if there is no end. */
  endsAt: number
}

export interface CandidateTest extends Split {
  name: string
  segment: string
  type: string
  start: Date
  end: Date | null
  endedAt: Date | null
}

/** All inputs of the decision about the offers for an order's customer. */
export interface OfferInput {
  now: Date
  segments: readonly string[]
  /** The customer's identity in tests: a digest. */
  customer: string
  /** The campaign that the customer was given at the first exposure to a test, by test; null is the holdout. */
  assignments: Readonly<Record<string, string | null>>
  campaigns: readonly CandidateCampaign[]
  tests: readonly CandidateTest[]
  /** By rank. */
  deals: readonly { id: string; name: string }[]
  announcements: readonly { id: string; name: string; language: string }[]
  /** The language that announcements are shown in. */
  language: Language
}

export interface OfferDecision {
  campaignId: string | null
  /** The running test that decided, and what it gave the customer. */
  test: { id: string; campaignId: string | null } | null
  dealIds: string[]
  announcementIds: string[]
  /** One for each campaign, deal and announcement of the shop, and for each test that concerns the order. */
  reasons: OfferReason[]
}

/** One that may be shown: a campaign by itself, or what a test gives this customer. */
interface Contender {
  segment: string
  startsAt: number
  id: string
  test: CandidateTest | undefined
  /** Null: the customer is in the holdout. */
  campaignId: string | null
}

/** Decides what the customer of an order is shown. It is a pure function of its input. */
export function decideOffers(input: OfferInput): OfferDecision {
  const segments = new Set([defaultSegment, ...input.segments])
  const byTest = contendingTests(input, segments)
  const reasons: OfferReason[] = []
  const contenders: Contender[] = byTest.map(({ test, campaignId }) => ({
    segment: test.segment,
    startsAt: test.start.getTime(),
    id: test.id,
    test,
    campaignId,
  }))
  const nowMs = input.now.getTime()
  /** Campaigns whose reason depends on which one is chosen. */
  const open: { campaign: CandidateCampaign; test: CandidateTest | undefined }[] = []
  for (const campaign of input.campaigns) {
    const test = testAround(byTest, campaign)
    const obstacle = test ? undefined : findObstacle(campaign, segments, byTest, nowMs)
    if (obstacle) {
      reasons.push(reasonOf('campaign', campaign, obstacle))
      continue
    }
    open.push({ campaign, test })
    if (test) continue
    const { id, segment, startsAt } = campaign
    contenders.push({ id, segment, startsAt, test: undefined, campaignId: id })
  }
  const winner = contenders.reduce<Contender | undefined>(
    (best, other) => (best === undefined || precedes(other, best) ? other : best),
    undefined,
  )
  const shown = winner?.campaignId ?? null
  for (const { test, campaignId } of byTest) {
    reasons.push(reasonOf('ab_test', test, verdictOnTest(test, campaignId, winner)))
  }
  for (const { campaign, test } of open) {
    reasons.push(reasonOf('campaign', campaign, verdictOnCampaign(campaign, test, winner)))
  }
  const isThere = input.campaigns.some(({ id }) => id === shown)
  const isRunning = winner?.test !== undefined && statusOfTest(winner.test, input.now) === 'running'
  return {
    campaignId: isThere ? shown : null,
    test: isRunning && winner?.test ? { id: winner.test.id, campaignId: shown } : null,
    ...others(input, reasons),
    reasons,
  }
}

type Given = { test: CandidateTest; campaignId: string | null }

/**
 * The variants that the tests of this order's segments assign to its customer. A running test assigns one to everyone;
 * a test that was ended by hand shows customers their variant until its planned end.
 */
function contendingTests(input: OfferInput, segments: ReadonlySet<string>): Given[] {
  const given: Given[] = []
  for (const test of input.tests) {
    if (!segments.has(test.segment)) continue
    const assigned = input.assignments[test.id]
    if (statusOfTest(test, input.now) === 'running') {
      given.push({ test, campaignId: assigned === undefined ? assign(test, input.customer) : assigned })
    } else if (
      test.endedAt !== null &&
      assigned &&
      input.now >= test.start &&
      (test.end === null || input.now < test.end)
    ) {
      const campaign = input.campaigns.find(({ id }) => id === assigned)
      if (campaign && input.now.getTime() < campaign.endsAt) given.push({ test, campaignId: assigned })
    }
  }
  // A running test replaces an ended one.
  return given.filter(
    ({ test }) =>
      test.endedAt === null ||
      !given.some(
        (other) => other.test.id !== test.id && isSamePlace(other.test, test) && precedesAsTest(other.test, test),
      ),
  )
}

function precedesAsTest(test: CandidateTest, other: CandidateTest): boolean {
  if ((test.endedAt === null) !== (other.endedAt === null)) return test.endedAt === null
  return test.start > other.start || (test.start.getTime() === other.start.getTime() && test.id > other.id)
}

function statusOfTest(test: CandidateTest, now: Date) {
  return testStatusOf(test, test.endedAt, now)
}

function isSamePlace(left: { segment: string; type: string }, right: { segment: string; type: string }): boolean {
  return left.segment === right.segment && left.type === right.type
}

/** The test that this campaign is a variant of. */
function testAround(byTest: readonly Given[], campaign: CandidateCampaign): CandidateTest | undefined {
  if (byTest.length === 0) return undefined
  return byTest.find(
    ({ test }) => isSamePlace(test, campaign) && test.variants.some(({ campaignId }) => campaignId === campaign.id),
  )?.test
}

/** The reason why a campaign cannot be shown, regardless of the others. */
function findObstacle(
  campaign: CandidateCampaign,
  segments: ReadonlySet<string>,
  byTest: readonly Given[],
  nowMs: number,
): ReasonCode | undefined {
  if (!segments.has(campaign.segment)) return 'segment'
  if (!campaign.isEnabled) return 'disabled'
  if (nowMs < campaign.startsAt) return 'not_started'
  if (nowMs >= campaign.endsAt) return 'ended'
  return byTest.some(({ test }) => isSamePlace(test, campaign)) ? 'test' : undefined
}

/** A segment of the order before `default`, then the newest start, then the greater id. */
function precedes(left: Contender, right: Contender): boolean {
  if (isSpecific(left) !== isSpecific(right)) return isSpecific(left)
  if (left.startsAt !== right.startsAt) return left.startsAt > right.startsAt
  return left.id > right.id
}

function isSpecific({ segment }: { segment: string }): boolean {
  return segment !== defaultSegment
}

function verdictOnTest(test: CandidateTest, campaignId: string | null, winner: Contender | undefined): ReasonCode {
  if (winner?.test?.id !== test.id) return lossTo(winner, test.segment, test.start.getTime())
  return campaignId === null ? 'holdout' : 'chosen'
}

function verdictOnCampaign(
  campaign: CandidateCampaign,
  test: CandidateTest | undefined,
  winner: Contender | undefined,
): ReasonCode {
  if (test === undefined) {
    return winner?.id === campaign.id ? 'chosen' : lossTo(winner, campaign.segment, campaign.startsAt)
  }
  if (winner?.test?.id !== test.id) return lossTo(winner, test.segment, test.start.getTime())
  if (winner.campaignId === campaign.id) return 'variant'
  return winner.campaignId === null ? 'holdout' : 'other_variant'
}

function lossTo(winner: Contender | undefined, segment: string, startsAt: number): ReasonCode {
  if (winner && isSpecific(winner) && segment === defaultSegment) return 'more_specific'
  return winner && winner.startsAt > startsAt ? 'newer' : 'later_id'
}

function others(input: OfferInput, reasons: OfferReason[]): Pick<OfferDecision, 'dealIds' | 'announcementIds'> {
  for (const deal of input.deals) reasons.push(reasonOf('deal', deal, 'chosen'))
  const announcements = input.announcements.filter(({ language }) => language === input.language)
  for (const announcement of input.announcements) {
    const isShown = announcement.language === input.language
    reasons.push(reasonOf('announcement', announcement, isShown ? 'chosen' : 'language'))
  }
  return { dealIds: input.deals.map(({ id }) => id), announcementIds: announcements.map(({ id }) => id) }
}

const explanations: Record<ReasonCode, string> = {
  chosen: 'Nothing comes before it.',
  variant: 'It is the variant of an A/B test that this customer has.',
  segment: 'The order is not in its segment.',
  disabled: 'It is not enabled.',
  not_started: 'It has not started.',
  ended: 'It has ended.',
  test: 'An A/B test decides for its segment and promotion type.',
  other_variant: 'The customer has another variant of the A/B test.',
  holdout: 'The customer is in the holdout of the A/B test.',
  more_specific: 'Another one is for a segment of the order.',
  newer: 'Another one started later.',
  later_id: 'Another one that started at the same time was created later.',
  language: 'It is in another language.',
}

function reasonOf(
  kind: OfferReason['kind'],
  { id, name }: { id: string; name: string },
  reason: ReasonCode,
): OfferReason {
  return { kind, uuid: id, name, reason, explanation: explanations[reason] }
}
