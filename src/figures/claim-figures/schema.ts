import { claimReasons } from '../../claims/claims/schema.ts'
import { Named, Nullable, type Static, Type } from '../../platform/foundation/schema.ts'
import { SummaryQuery } from '../analytics/schema.ts'

export const maxClaims = 20_000
export const maxCarriers = 50
export const maxProducts = 100

export const ClaimFiguresQuery = Type.Object({ from: SummaryQuery.properties.from, to: SummaryQuery.properties.to })

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const counts = {
  claims: count('Claims created in the period', 12),
  by_reason: Type.Unsafe<Record<(typeof claimReasons)[number], number>>({
    ...Type.Object(Object.fromEntries(claimReasons.map((reason) => [reason, Type.Integer({ examples: [2] })]))),
  }),
  accepted: count('Accepted, even if they were closed later', 6),
  rejected: count('Rejected, even if they were closed later', 2),
  closed: count('Closed without having been accepted or rejected', 1),
  open: count('Still to be decided', 3),
  median_hours_to_decision: Nullable(
    Type.Number({ description: 'Of the claims that were decided; null if there are none', examples: [6.5] }),
  ),
}
const Counts = Type.Object(counts)
export type ClaimCounts = Static<typeof Counts>

export const ClaimFigures = Named(
  'ClaimFigures',
  Type.Object({
    from: Type.String({ format: 'date', examples: ['2026-10-03'] }),
    to: Type.String({ format: 'date', examples: ['2026-11-01'] }),
    is_truncated: Type.Boolean({
      description: `Whether the period has more than ${maxClaims.toLocaleString('en')} claims: only the newest are counted`,
    }),
    total: Counts,
    carriers: Type.Array(
      Type.Object({
        carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
        carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
        ...counts,
        delivered: count('Shipments to customers that the carrier delivered in the period', 480),
        share: Nullable(
          Type.Number({ description: 'claims / delivered; null if nothing was delivered', examples: [0.025] }),
        ),
      }),
      { description: `By the carrier of the parcel, most claims first, at most ${maxCarriers}` },
    ),
    products: Type.Array(
      Type.Object({
        sku: Nullable(Type.String({ examples: ['RJ-42'] })),
        title: Nullable(Type.String({ examples: ['Rain jacket'] })),
        ...counts,
      }),
      {
        description: `By product, most claims first, at most ${maxProducts}. A claim about several products counts for each; one without any counts for a product without sku and title`,
      },
    ),
  }),
)
export type ClaimFigures = Static<typeof ClaimFigures>
