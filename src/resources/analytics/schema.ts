import { flags, phases } from '../../catalogue/catalogue.ts'
import { deliveryStatuses } from '../../deliveries/log-schema.ts'
import { Named, Nullable, type Static, Type, Uuid } from '../../foundation/schema.ts'
import { claimReasons, claimStatuses } from '../claims/schema.ts'

const Day = Type.String({ format: 'date', maxLength: 10, examples: ['2026-11-01'] })

export const longestDays = 366
export const usualDays = 30

export const SummaryQuery = Type.Object({
  from: Type.Optional({ ...Day, description: `The first day, UTC; ${usualDays} days with \`to\` unless said` }),
  to: Type.Optional({ ...Day, description: 'The last day, UTC, with all of it; today unless said' }),
})
export type SummaryQuery = Static<typeof SummaryQuery>

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

/** A count for each of the names, none left out. */
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
  exposures: count('Customers who were shown it, once a day each', 420),
  clicks: count('Customers who followed it, once a day each', 37),
  orders: count('Orders placed in the period that came from tracking pages', 9),
  revenue: Type.Array(RevenueItem, { description: 'What these orders came to, by currency' }),
}

export const AnalyticsSummary = Named(
  'AnalyticsSummary',
  Type.Object({
    from: Day,
    to: Day,
    orders: Type.Object({
      placed: count('Orders placed in the period', 310),
      nothing_to_send: count('Of these, orders of which nothing is to be sent', 12),
      handed_over_without_tracking: count('Of these, orders that were handed over without a tracking number', 4),
    }),
    shipments: Type.Object({
      created: count('Shipments made in the period, drafts too', 330),
      waiting: count('Of these, drafts that are still to be sent to customers', 18),
      by_phase: CountsOf(phases, 'Where they are now'),
      by_flag: CountsOf(flags, 'How they fare now'),
    }),
    deliveries: Type.Object({
      delivered: count('Shipments to customers that were delivered in the period, whenever they were made', 290),
      failed_attempts: count('Attempts at a delivery that failed in the period', 14),
      transit_days: Type.Object(
        {
          median: Nullable(Type.Number({ examples: [2.1] })),
          p90: Nullable(Type.Number({ description: 'Nine of ten took this long or less', examples: [4.6] })),
        },
        { description: 'Days from fulfilment to delivery, of those delivered in the period; null where there is none' },
      ),
      windows: Type.Object(
        {
          predicted: count('Delivered parcels that had a predicted window', 250),
          early: Type.Integer({ examples: [8] }),
          held: Type.Integer({ examples: [217] }),
          late: Type.Integer({ examples: [25] }),
          held_share: Nullable(
            Type.Number({ description: 'held / predicted; null where there is none', examples: [0.868] }),
          ),
        },
        { description: 'How the predicted delivery windows held, as in the report of delivery windows' },
      ),
    }),
    claims: Type.Object({
      filed: count('Claims made in the period', 6),
      by_reason: CountsOf(claimReasons, 'What they are about'),
      by_status: CountsOf(claimStatuses, 'How they stand now'),
    }),
    notifications: Type.Object(
      {
        webhooks: CountsOf(deliveryStatuses, 'To the webhook endpoints that the shop has'),
        integrations: CountsOf(deliveryStatuses, 'To marketing and commerce systems'),
      },
      { description: 'Deliveries queued in the period, by how they stand now; as far back as the log of them is kept' },
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
          description:
            'Those with anything in the period, the most seen first, 100 at the most; orders by the campaign they name',
        },
      ),
    }),
    days: Type.Array(
      Type.Object({ date: Day, orders: Type.Integer({ examples: [12] }), deliveries: Type.Integer({ examples: [9] }) }),
      { description: 'Every day of the period, UTC' },
    ),
  }),
)
export type AnalyticsSummary = Static<typeof AnalyticsSummary>
