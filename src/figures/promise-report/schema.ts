import { DateTime, Named, Nullable, type Static, Type } from '../../platform/foundation/schema.ts'
import { Day, periodFields } from '../analytics/schema.ts'

export const maxRoutes = 200

export const PromiseReportQuery = Type.Object({
  ...periodFields,
  carrier: Type.Optional(Type.String({ maxLength: 100, description: 'A carrier', examples: ['dhl'] })),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      maxLength: 2,
      description: 'The country of destination',
      examples: ['DE'],
    }),
  ),
})
export type PromiseReportQuery = Static<typeof PromiseReportQuery>

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const share = (description: string, example: number) => Nullable(Type.Number({ description, examples: [example] }))

/** How promises of one percentile turned out. */
const CalibrationPoint = Named(
  'PromiseCalibration',
  Type.Object({
    percentile: Type.Number({ description: 'How likely the promises were to hold', examples: [0.9] }),
    stated: share('What the promises stated on average: the share of past parcels that arrived by the last day', 0.92),
    decided: count('Promises that were kept or broken', 380),
    kept: count('Promises that were kept', 349),
    share: share('kept / decided; null if there are none', 0.918),
  }),
)

const figures = {
  promised: count('Promises', 412),
  kept: count('Those that were kept', 349),
  broken: count('Those that were broken', 31),
  open: count('Those that are not decided yet', 32),
  at_risk: count('Those of the open ones that are at risk', 4),
  kept_share: share('kept / (kept + broken); null if there are none', 0.918),
  mean_width_days: share('Days from the earliest to the latest, both inclusive, on average; null if not known', 2.8),
  calibration: Type.Array(CalibrationPoint, {
    description: 'By the percentile that was promised, highest first. Promises that were given without one are missing',
  }),
}

const PromiseFigures = Named('PromiseFigures', Type.Object(figures))

const PromiseRoute = Named(
  'PromiseRoute',
  Type.Object({
    carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
    carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
    destination_country: Nullable(Type.String({ examples: ['DE'] })),
    ...figures,
  }),
)

export const PromiseReport = Named(
  'PromiseReport',
  Type.Object({
    from: Day,
    to: Day,
    as_of: DateTime,
    total: PromiseFigures,
    routes: Type.Array(PromiseRoute, { description: `Most promises first, at most ${maxRoutes}` }),
  }),
)
export type PromiseReport = Static<typeof PromiseReport>
