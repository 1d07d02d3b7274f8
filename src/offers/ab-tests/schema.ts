import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { campaignFields } from '../campaigns/schema.ts'

const testStatuses = ['scheduled', 'running', 'completed'] as const
export type TestStatus = (typeof testStatuses)[number]

const Name = Type.String({ minLength: 1, maxLength: 255, examples: ['Socks or a discount?'] })
const Segment = Type.String({ minLength: 1, maxLength: 255, examples: ['default'] })
const CampaignType = Type.String({ description: 'The promotion type of all its campaigns', examples: ['basic'] })
const Allocation = Type.Integer({ minimum: 0, maximum: 100, description: 'Percent', examples: [100] })
const HoldoutPercentage = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Percent of all customers who are shown none of the campaigns; with has_holdout only',
  examples: [10],
})
const End = { ...DateTime, examples: ['2026-12-01T00:00:00.000Z'] }

export const AbTestCreation = Named(
  'AbTestCreation',
  Type.Object({
    name: Name,
    segment: Segment,
    campaign_type: CampaignType,
    campaigns: Type.Array(Type.Object({ campaign_id: Uuid, allocation: Allocation }), {
      minItems: 1,
      maxItems: 20,
      description: 'The allocations sum to 100',
    }),
    has_holdout: Maybe({ ...Type.Boolean(), default: false }),
    holdout_percentage: Maybe(HoldoutPercentage),
    start_date: Maybe({ ...DateTime, description: 'Default: now' }),
    end_date: Maybe(End),
  }),
)
export type AbTestCreation = Static<typeof AbTestCreation>

export const AbTest = Named(
  'AbTest',
  Type.Object({
    uuid: Uuid,
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    name: Name,
    segment: Segment,
    campaign_type: CampaignType,
    status: OneOf(testStatuses, { examples: ['running'] }),
    campaigns: Type.Array(Type.Object({ campaign_id: Uuid, allocation: Allocation, ...campaignFields })),
    has_holdout: Type.Boolean(),
    holdout_percentage: Nullable(HoldoutPercentage),
    start_date: Nullable(DateTime),
    end_date: Nullable(End),
    ended_at: Nullable({ ...End, description: 'When it was ended by hand' }),
    created_at: DateTime,
    updated_at: DateTime,
  }),
)
export type AbTest = Static<typeof AbTest>

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [120] })
const Share = Type.Number({ examples: [0.1] })

const arm = {
  customers: Count('Customers who were assigned to it at their first exposure'),
  exposures: Count('Views, once per day per customer'),
  clicks: Count('Clicks, once per day per customer'),
  orders: Count('Orders that order analytics attribute to the tracking page, placed by these customers afterwards'),
  converted_customers: Count('Customers with such an order'),
  conversion: Nullable(
    Type.Object(
      { rate: Share, low: Share, high: Share },
      { description: 'converted_customers / customers, with its 95 % interval (Wilson); null without customers' },
    ),
  ),
  revenue: Type.Number({ description: "Of the orders in the shop's currency", examples: [1_240.5] }),
  orders_in_other_currencies: Count('Orders that are not in the revenue'),
  revenue_per_customer: Nullable(
    Type.Object(
      {
        mean: Type.Number({ examples: [10.3] }),
        low: Type.Number({ examples: [8.1] }),
        high: Type.Number({ examples: [12.5] }),
      },
      { description: 'With its 95 % interval; null below two customers' },
    ),
  ),
}

const Difference = Type.Object(
  {
    value: Type.Number({ examples: [0.012] }),
    low: Type.Number({ examples: [0.004] }),
    high: Type.Number({ examples: [0.021] }),
  },
  { description: 'Of two conversions, with its 95 % interval (Newcombe)' },
)
export type Difference = Static<typeof Difference>

export const verdicts = ['too_early', 'leading', 'better', 'no_difference', 'mismatched'] as const
export type VerdictKind = (typeof verdicts)[number]

const Verdict = Named(
  'AbTestVerdict',
  Type.Object({
    kind: OneOf(verdicts, {
      description:
        'too_early: nothing can be said yet; leading: one is ahead, which may still be chance; better: the interval of the difference does not include zero; no_difference: if there is one, it is less than a fifth of the conversion; mismatched: the split of customers is faulty, so nothing can be concluded. Nothing is said below 100 customers in each of the two, or 10 conversions in both together.',
      examples: ['better'],
    }),
    campaign_id: Nullable({ ...Uuid, description: 'The variant with the highest conversion' }),
    compared_with: Nullable({
      ...OneOf(['variant', 'holdout']),
      description: 'The best other variant; the holdout if there is only one variant',
      examples: ['variant'],
    }),
    other_campaign_id: Nullable({ ...Uuid, description: 'That other variant' }),
    chance: Nullable(
      Type.Number({ description: 'That the variant is truly the best of those compared', examples: [0.96] }),
    ),
    difference: Nullable(Difference),
    needed_customers: Nullable(
      Type.Integer({
        description:
          'How many customers each of the two needs for a power of 80 %, if the difference is as observed; null without one',
        examples: [3_841],
      }),
    ),
    days_left: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Until both have that many, at the pace so far; null unless the test is running',
        examples: [21],
      }),
    ),
  }),
)
export type Verdict = Static<typeof Verdict>

export const AbTestResults = Named(
  'AbTestResults',
  Type.Object({
    uuid: Uuid,
    name: Name,
    status: OneOf(testStatuses),
    segment: Segment,
    campaign_type: CampaignType,
    from: DateTime,
    to: DateTime,
    end_date: Nullable({ ...End, description: 'The planned end' }),
    ended_at: Nullable({ ...End, description: 'When it was ended by hand' }),
    currency: Type.String({ examples: ['EUR'] }),
    sample_ratio: Type.Object({
      is_mismatched: Type.Boolean({
        description: 'The split of customers differs so much from the allocation that the results are not reliable',
        examples: [false],
      }),
      p_value: Nullable(Type.Number({ description: 'Chi-square; null while there are too few', examples: [0.42] })),
    }),
    verdict: Verdict,
    variants: Type.Array(
      Type.Object({
        campaign_id: Uuid,
        name: Type.String({ examples: ['Warm socks in November'] }),
        allocation: Allocation,
        ...arm,
        chance_to_be_best: Nullable(
          Type.Number({
            description: 'That its true conversion is the highest; null without customers',
            examples: [0.8],
          }),
        ),
        difference_to_holdout: Nullable(Difference),
      }),
    ),
    holdout: Nullable(Type.Object({ percentage: HoldoutPercentage, ...arm })),
  }),
)
export type AbTestResults = Static<typeof AbTestResults>
