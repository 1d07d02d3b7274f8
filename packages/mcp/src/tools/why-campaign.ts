import type { Schemas } from 'doorstep-client'
import { z } from 'zod'
import { getOrder, orderReference } from '../find-orders.ts'
import { readTool } from '../tool.ts'
import { count } from '../words.ts'

type Reason = Schemas['OfferReason']

/** A shop may have hundreds of campaigns: those that came closest are listed first. */
const maxReasons = 40

export const whyCampaign = readTool({
  name: 'why_campaign',
  title: 'Why does the customer see this campaign?',
  description:
    'Says which campaign, deals and announcements the customer of an order is shown on the tracking page, and why each of the others is not shown. Give exactly one of order_number, email, tracking_number and order_id.',
  input: orderReference,
  output: {
    order_id: z.string(),
    campaign: z
      .object({ uuid: z.string(), name: z.string(), segment: z.string(), promotion_type: z.string() })
      .nullable()
      .describe('The campaign that is shown; null: none'),
    deals: z.number().describe('How many deals are shown'),
    announcements: z.number().describe('How many announcements are shown'),
    reasons: z.array(
      z.object({
        kind: z.string().describe('campaign, ab_test, deal or announcement'),
        uuid: z.string(),
        name: z.string(),
        is_shown: z.boolean(),
        reason: z.string(),
        explanation: z.string(),
      }),
    ),
    is_complete: z.boolean(),
  },
  async run(context, given) {
    const { orderId } = await getOrder(context, given)
    const path = { slug: context.shop, order_id: orderId }
    const offers = await context.client.get('/v1/shops/{slug}/orders/{order_id}/offers', { params: { path } })
    const { campaign, deals, announcements, reasons } = offers
    return {
      explanation: explain(offers),
      order_id: orderId,
      campaign: campaign && {
        uuid: campaign.uuid,
        name: campaign.name,
        segment: campaign.segment,
        promotion_type: campaign.promotion_type,
      },
      deals: deals.length,
      announcements: announcements.length,
      reasons: [...reasons]
        .sort(shownFirst)
        .slice(0, maxReasons)
        .map(({ kind, uuid, name, reason, explanation }) => ({
          kind,
          uuid,
          name,
          is_shown: isShown(reason),
          reason,
          explanation,
        })),
      is_complete: reasons.length <= maxReasons,
    }
  },
})

function explain({ campaign, deals, announcements, reasons }: Schemas['Offers']): string[] {
  const ofCampaigns = reasons.filter(({ kind }) => kind === 'campaign')
  // The API explains each reason in a sentence of its own; no word of it is the shop's.
  const losers = new Map<string, number>()
  for (const { reason, explanation } of ofCampaigns) {
    if (!isShown(reason)) losers.set(explanation, (losers.get(explanation) ?? 0) + 1)
  }
  const isVariant = ofCampaigns.some(({ reason }) => reason === 'variant')
  const winner = campaign
    ? `One campaign is shown: ${isVariant ? "it is the customer's variant of a running A/B test" : 'of those for the order, it is for the most specific segment, and of these the newest'}.`
    : ofCampaigns.length === 0
      ? 'No campaign is shown: the shop has none.'
      : 'No campaign is shown.'
  return [
    winner,
    ...[...losers].map(([explanation, number]) => `Not shown, ${count(number, 'campaign')}: ${explanation}`),
    `Beside it: ${count(deals.length, 'deal')} and ${count(announcements.length, 'announcement')}.`,
  ]
}

function isShown(reason: Reason['reason']): boolean {
  return reason === 'chosen' || reason === 'variant'
}

function shownFirst(left: Reason, right: Reason): number {
  return Number(isShown(right.reason)) - Number(isShown(left.reason))
}
