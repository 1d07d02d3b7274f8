import { backtest } from '../orders/promise-model/backtest.ts'
import { plotBacktest } from '../orders/promise-model/plot.ts'
import { daysOfShop, journeysUnderWay, lastJourneys, maxJourneys } from '../orders/promises/journeys-store.ts'
import { letOthersRun } from '../orders/promises/shop-model.ts'
import { after, dayMs } from '../platform/foundation/clock.ts'
import { operation } from '../platform/foundation/operation.ts'
import { Named, Nullable, Type } from '../platform/foundation/schema.ts'

const defaultDays = 90
const maxDays = 365
/** Of the parcels of the last days only the quick ones have arrived, so they prove nothing. */
const settledAfterDays = 21

const share = { minimum: 0, maximum: 1 }

const MethodResult = Type.Object({
  method: Type.Union(
    [
      Type.Literal('model'),
      Type.Literal('carrier_table'),
      Type.Literal('fixed_days'),
      Type.Literal('plain_percentile'),
    ],
    {
      description:
        '`carrier_table`: days for each service and country, `fixed_days`: the same days for all, both set before the period; `plain_percentile`: the percentile of all parcels of that carrier, service and country delivered before (20 at least, or else of all).',
    },
  ),
  in_time: Type.Number({
    ...share,
    description: 'Share of parcels that came by the last day of their window',
    examples: [0.921],
  }),
  coverage: Type.Number({
    ...share,
    description: 'Share of parcels that came within their window',
    examples: [0.905],
  }),
  mean_width: Type.Number({
    description: 'Mean days of a window, the first and the last included',
    examples: [2.84],
  }),
  width_at_equal_coverage: Nullable(
    Type.Number({
      description: 'Mean days at which it covers as many parcels as the model; null if it does not at any percentile',
      examples: [3.4],
    }),
  ),
})

const PromiseBacktest = Named(
  'PromiseBacktest',
  Type.Object({
    from: Type.String({ format: 'date', examples: ['2026-07-30'] }),
    to: Type.String({ format: 'date', examples: ['2026-10-27'] }),
    percentile: Type.Number({ ...share, examples: [0.9] }),
    parcels: Type.Integer({ description: 'Parcels that were promised a window', examples: [2310] }),
    learnt_from: Type.Integer({ description: 'Finished journeys that were read', examples: [18250] }),
    stated: Type.Number({
      ...share,
      description: 'Mean share that the model stated: days are whole, so it is above the percentile',
      examples: [0.934],
    }),
    methods: Type.Array(MethodResult),
    calibration: Type.Array(
      Type.Object({
        stated: Type.Number({ ...share, examples: [0.916] }),
        realised: Type.Number({ ...share, examples: [0.909] }),
        promises: Type.Integer({ examples: [640] }),
      }),
      {
        description:
          'Promises at percentiles from 0.5 up, put together by the share that they stated: its mean, and the share that arrived in time',
      },
    ),
    plot: Nullable(Type.String({ description: 'A picture of it (SVG), if it was asked for', examples: ['<svg …'] })),
  }),
)

export const backtestPromises = operation({
  name: 'backtestPromises',
  summary: "Try delivery promises on the shop's history",
  description: `Goes through the last days as they were: each parcel is promised a window by what was known before it was sent, and is held against it, next to three ways to promise without a model. The period ends ${settledAfterDays} days ago, because of later parcels only the quick ones have arrived. The newest ${maxJourneys.toLocaleString('en')} finished journeys are read. The model learns again for every seventh day of the period.`,
  area: 'Delivery promises',
  route: 'GET /v1/shops/{slug}/delivery-promises/backtest',
  reads: 'replica',
  needs: 'viewer',
  query: Type.Object({
    percentile: Type.Optional(Type.Number({ minimum: 0.5, maximum: 0.99, default: 0.9 })),
    days: Type.Optional(Type.Integer({ minimum: 7, maximum: maxDays, default: defaultDays })),
    plot: Type.Optional(Type.Boolean({ description: 'With a picture', default: false })),
  }),
  reply: PromiseBacktest,
  async handle(context, { query }) {
    const { percentile = 0.9, days = defaultDays } = query
    const shopDays = await daysOfShop(context, context.shop.id)
    const finished = await lastJourneys(context, context.shop.id)
    const journeys = [...finished, ...(await journeysUnderWay(context, context.shop.id))]
    const to = dateOf(after(context.now, -settledAfterDays * dayMs))
    const from = dateOf(after(context.now, -(settledAfterDays + days - 1) * dayMs))
    const result = await backtest(journeys, { from, to, percentile, shopDays, pause: letOthersRun })
    return {
      from,
      to,
      percentile,
      parcels: result.parcels,
      learnt_from: finished.length,
      stated: rounded(result.stated),
      methods: result.methods.map((method) => ({
        method: method.method,
        in_time: rounded(method.inTime),
        coverage: rounded(method.coverage),
        mean_width: rounded(method.width),
        width_at_equal_coverage: method.widthAtModelCoverage === null ? null : rounded(method.widthAtModelCoverage),
      })),
      calibration: result.calibration.map(({ stated, realised, promises }) => ({
        stated: rounded(stated),
        realised: rounded(realised),
        promises,
      })),
      plot: query.plot ? plotBacktest(result) : null,
    }
  },
})

function dateOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
