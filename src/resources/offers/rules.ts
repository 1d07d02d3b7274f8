import type { Language } from '../../foundation/languages.ts'
import { assign, type Split, testStatusOf } from '../ab-tests/rules.ts'
import { everybody, statusOf } from '../campaigns/rules.ts'
import type { OfferReason, ReasonCode } from './schema.ts'

export interface CandidateCampaign {
  id: string
  name: string
  segment: string
  type: string
  isEnabled: boolean
  start: Date
  end: Date | null
}

export interface CandidateTest extends Split {
  name: string
  segment: string
  type: string
  start: Date
  end: Date | null
  endedAt: Date | null
}

/** All that decides what an order's customer is shown. */
export interface OfferInput {
  now: Date
  segments: readonly string[]
  /** Who the customer is to tests: a digest. */
  customer: string
  /** What the customer was given at the first exposure to a test, by test; null is the holdout. */
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
  start: Date
  id: string
  test: CandidateTest | undefined
  /** Null: the customer is held out. */
  campaignId: string | null
}

/** Decides what the customer of an order is shown. It looks at nothing else: the same input always has the same answer. */
export function decideOffers(input: OfferInput): OfferDecision {
  const segments = new Set([everybody, ...input.segments])
  const byTest = contendingTests(input, segments)
  const reasons: OfferReason[] = []
  const contenders: Contender[] = byTest.map(({ test, campaignId }) => ({
    segment: test.segment,
    start: test.start,
    id: test.id,
    test,
    campaignId,
  }))
  /** Those whose turn depends on who wins. */
  const open: { campaign: CandidateCampaign; test: CandidateTest | undefined }[] = []
  for (const campaign of input.campaigns) {
    const test = testAround(byTest, campaign)
    const hindrance = test ? undefined : hindranceOf(campaign, segments, byTest, input.now)
    if (hindrance) reasons.push(reasonOf('campaign', campaign, hindrance, detailOf(hindrance, campaign)))
    else open.push({ campaign, test })
    if (!hindrance && !test) {
      contenders.push({ ...campaign, test: undefined, campaignId: campaign.id })
    }
  }
  const winner = contenders.reduce<Contender | undefined>(
    (best, other) => (best === undefined || precedes(other, best) ? other : best),
    undefined,
  )
  const shown = winner?.campaignId ?? null
  for (const { test, campaignId } of byTest) {
    reasons.push(reasonOf('ab_test', test, ...verdictOnTest(test, campaignId, winner)))
  }
  for (const { campaign, test } of open) {
    reasons.push(reasonOf('campaign', campaign, ...verdictOnCampaign(campaign, test, winner)))
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
 * What the tests that concern this order give its customer: a running one gives everybody something; one that was ended
 * by hand gives those who had a variant the same one, up to its planned end.
 */
function contendingTests(input: OfferInput, segments: ReadonlySet<string>): Given[] {
  const given: Given[] = []
  for (const test of input.tests) {
    if (!segments.has(test.segment)) continue
    const kept = input.assignments[test.id]
    if (statusOfTest(test, input.now) === 'running') {
      given.push({ test, campaignId: kept === undefined ? assign(test, input.customer) : kept })
    } else if (
      test.endedAt !== null &&
      kept &&
      input.now >= test.start &&
      (test.end === null || input.now < test.end)
    ) {
      const campaign = input.campaigns.find(({ id }) => id === kept)
      if (campaign && (campaign.end === null || input.now < campaign.end)) given.push({ test, campaignId: kept })
    }
  }
  // A running test takes the place of one before it.
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

/** What keeps a campaign from being shown, whoever else there is. */
function hindranceOf(
  campaign: CandidateCampaign,
  segments: ReadonlySet<string>,
  byTest: readonly Given[],
  now: Date,
): ReasonCode | undefined {
  if (!segments.has(campaign.segment)) return 'segment'
  const status = statusOf(campaign, campaign.isEnabled, now)
  if (status === 'inactive') return 'disabled'
  if (status === 'scheduled') return 'not_started'
  if (status === 'completed') return 'ended'
  return byTest.some(({ test }) => isSamePlace(test, campaign)) ? 'test' : undefined
}

/** A segment of the order before that of everybody, then the newest start, then the greater id. */
function precedes(left: Contender, right: Contender): boolean {
  if (isSpecific(left) !== isSpecific(right)) return isSpecific(left)
  if (left.start.getTime() !== right.start.getTime()) return left.start > right.start
  return left.id > right.id
}

function isSpecific({ segment }: { segment: string }): boolean {
  return segment !== everybody
}

type Verdict = [code: ReasonCode, detail: string]

function verdictOnTest(test: CandidateTest, campaignId: string | null, winner: Contender | undefined): Verdict {
  if (winner?.test?.id !== test.id) return lossTo(winner, test)
  if (campaignId === null) return ['holdout', 'The customer is in the holdout of this test and is shown no campaign.']
  return ['chosen', `It gives this customer the campaign ${campaignId}.`]
}

function verdictOnCampaign(
  campaign: CandidateCampaign,
  test: CandidateTest | undefined,
  winner: Contender | undefined,
): Verdict {
  if (test === undefined) {
    if (winner?.id === campaign.id) return ['chosen', 'No other campaign comes before it.']
    return lossTo(winner, campaign)
  }
  if (winner?.test?.id !== test.id) return lossTo(winner, test)
  if (winner.campaignId === campaign.id) {
    return ['variant', `It is the variant of the A/B test ${JSON.stringify(test.name)} that this customer has.`]
  }
  if (winner.campaignId === null) {
    return ['holdout', `The customer is in the holdout of the A/B test ${JSON.stringify(test.name)}.`]
  }
  return ['other_variant', `The customer has another variant of the A/B test ${JSON.stringify(test.name)}.`]
}

function lossTo(winner: Contender | undefined, loser: { segment: string; start: Date }): Verdict {
  const name = winner?.id
  if (winner && isSpecific(winner) && !isSpecific(loser)) {
    return ['more_specific', `${name} is for the segment ${JSON.stringify(winner.segment)} of the order.`]
  }
  if (winner && winner.start > loser.start) return ['newer', `${name} started later.`]
  return ['later_id', `${name} started at the same time and was made later.`]
}

function detailOf(hindrance: ReasonCode, campaign: CandidateCampaign): string {
  switch (hindrance) {
    case 'segment':
      return `The order is not in the segment ${JSON.stringify(campaign.segment)}.`
    case 'disabled':
      return 'It is not enabled.'
    case 'not_started':
      return `It starts at ${campaign.start.toISOString()}.`
    case 'ended':
      return `It ended at ${campaign.end?.toISOString()}.`
    default:
      return 'An A/B test decides for its segment and promotion type.'
  }
}

function others(input: OfferInput, reasons: OfferReason[]): Pick<OfferDecision, 'dealIds' | 'announcementIds'> {
  for (const [index, deal] of input.deals.entries()) {
    reasons.push(reasonOf('deal', deal, 'chosen', `Every customer is shown it, at rank ${index + 1}.`))
  }
  const announcements = input.announcements.filter(({ language }) => language === input.language)
  for (const announcement of input.announcements) {
    const isShown = announcement.language === input.language
    const detail = isShown
      ? `It is in ${input.language}, the language of the reader.`
      : `It is in ${announcement.language}; the reader is shown ${input.language}.`
    reasons.push(reasonOf('announcement', announcement, isShown ? 'chosen' : 'language', detail))
  }
  return { dealIds: input.deals.map(({ id }) => id), announcementIds: announcements.map(({ id }) => id) }
}

function reasonOf(
  kind: OfferReason['kind'],
  { id, name }: { id: string; name: string },
  reason: ReasonCode,
  explanation: string,
): OfferReason {
  return { kind, uuid: id, name, is_shown: reason === 'chosen' || reason === 'variant', reason, explanation }
}
