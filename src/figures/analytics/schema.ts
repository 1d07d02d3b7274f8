import { claimReasons, claimStatuses } from '../../claims/claims/schema.ts'
import { deliveryStatuses } from '../../delivery/log/schema.ts'
import { flags, phases } from '../../platform/catalogue/catalogue.ts'
import { DateTime, Named, Nullable, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

export const Day = Type.String({ format: 'date', maxLength: 10, examples: ['2026-11-01'] })

export const maxDays = 366
export const defaultDays = 30

/** The days that figures are about. */
export const periodFields = {
  from: Type.Optional({
    ...Day,
    description: `The first day, in UTC. Default: a period of ${defaultDays} days that ends with \`to\``,
  }),
  to: Type.Optional({ ...Day, description: 'The last day, in UTC, inclusive. Default: today' }),
}

export const SummaryQuery = Type.Object({
  ...periodFields,
  compare: Type.Optional(
    Type.Boolean({ description: 'Also return the figures of the period before, of the same length' }),
  ),
})
export type SummaryQuery = Static<typeof SummaryQuery>

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

/** A count for each of the names. */
function CountsOf<const Names extends readonly string[]>(names: Names, description: string) {
  const fields = Object.fromEntries(names.map((name) => [name, Type.Integer({ examples: [3] })]))
  return Type.Unsafe<Record<Names[number], number>>({ ...Type.Object(fields), description })
}

const RevenueItem = Named(
  'Revenue',
  Type.Object({ currency: Type.String({ examples: ['EUR'] }), amount: Type.Number({ examples: [1_284.5] }) }),
)
export type RevenueItem = Static<typeof RevenueItem>

const CampaignCounts = {
  exposures: count('Customers who were shown it, counted once per day', 420),
  clicks: count('Customers who clicked on it, counted once per day', 37),
  orders: count('Orders placed in the period that came from tracking pages', 9),
  revenue: Type.Array(RevenueItem, { description: 'Revenue of these orders, by currency' }),
}

const Rate = Named(
  'Rate',
  Type.Object({
    count: Type.Integer({ examples: [217] }),
    sample: Type.Integer({ description: 'Out of how many', examples: [250] }),
    share: Nullable(Type.Number({ description: 'count / sample; null if the sample is empty', examples: [0.868] })),
  }),
)
export type Rate = Static<typeof Rate>

const TransitDays = {
  median: Nullable(Type.Number({ examples: [2.1] })),
  p90: Nullable(Type.Number({ description: '90 percent took this long or less', examples: [4.6] })),
}

const PeriodFigures = Named(
  'PeriodFigures',
  Type.Object({
    from: Day,
    to: Day,
    orders: Type.Object({
      placed: count('Orders placed in the period', 310),
      nothing_to_send: count('Of these, orders with nothing to send', 12),
      handed_over_without_tracking: count('Of these, orders handed over without a tracking number', 4),
    }),
    shipments: Type.Object({
      created: count('Shipments created in the period, including drafts', 330),
      waiting: count('Of these, drafts that still have to be sent to customers', 18),
      by_phase: CountsOf(phases, 'By current phase'),
      by_flag: CountsOf(flags, 'By current flag'),
    }),
    deliveries: Type.Object({
      delivered: count(
        'Shipments to customers that were delivered in the period, no matter when they were created',
        290,
      ),
      failed_attempts: count('Failed delivery attempts in the period', 14),
      transit_days: Type.Object(TransitDays, {
        description:
          'Days from fulfilment to delivery of shipments delivered in the period, measured in whole hours; null if there are none',
      }),
      windows: Type.Object(
        {
          predicted: count('Delivered parcels that had a predicted window', 250),
          early: Type.Integer({ examples: [8] }),
          held: Type.Integer({ examples: [217] }),
          late: Type.Integer({ examples: [25] }),
          held_share: Nullable(
            Type.Number({ description: 'held / predicted; null if no window was predicted', examples: [0.868] }),
          ),
        },
        { description: 'Accuracy of the predicted delivery windows, as in the delivery window report' },
      ),
    }),
    rates: Type.Object({
      on_time: {
        ...Rate,
        description:
          'Shipments delivered in the period by the end of their expected delivery, out of those that had one: the time that the carrier last gave, or else the predicted window',
      },
      notifications: {
        ...Rate,
        description: 'Deliveries queued in the period that succeeded, out of those that succeeded or were given up',
      },
    }),
    carriers: Type.Array(
      Type.Object({
        carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
        delivered: count('Shipments to customers that were delivered in the period', 180),
        transit_days: Type.Object(TransitDays),
        on_time: Rate,
      }),
      { description: 'Carriers that delivered in the period, most deliveries first, at most 20' },
    ),
    claims: Type.Object({
      filed: count('Claims created in the period', 6),
      by_reason: CountsOf(claimReasons, 'By reason'),
      by_status: CountsOf(claimStatuses, 'By current status'),
    }),
    notifications: Type.Object(
      {
        webhooks: CountsOf(deliveryStatuses, 'To the webhook endpoints of the shop'),
        integrations: CountsOf(deliveryStatuses, 'To marketing and commerce systems'),
      },
      { description: 'Deliveries queued in the period, by current status, as far back as the delivery log goes' },
    ),
    campaigns: Type.Object({
      ...CampaignCounts,
      campaigns: Type.Array(
        Type.Object({
          campaign_id: Uuid,
          name: Type.String({ examples: ['Autumn sale'] }),
          ...CampaignCounts,
        }),
        {
          description: 'Campaigns with views, clicks or orders in the period, most exposures first, at most 100',
        },
      ),
    }),
    days: Type.Array(
      Type.Object({ date: Day, orders: Type.Integer({ examples: [12] }), deliveries: Type.Integer({ examples: [9] }) }),
      { description: 'Every day of the period, in UTC' },
    ),
  }),
)
export type PeriodFigures = Static<typeof PeriodFigures>

export const AnalyticsSummary = Named(
  'AnalyticsSummary',
  Type.Object({
    ...PeriodFigures.properties,
    as_of: {
      ...DateTime,
      description:
        'Every change up to this moment is counted. Usually the time of the request; in a shop with very many orders up to a few minutes earlier',
    },
    previous: Type.Optional({
      ...PeriodFigures,
      description: 'The period before, of the same length. Only with `compare=true`',
    }),
  }),
)
export type AnalyticsSummary = Static<typeof AnalyticsSummary>
