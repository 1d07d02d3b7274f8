import { findCarrier } from '../../adapters/carriers/find.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { periodOf } from '../analytics/period.ts'
import { defaultDays, maxDays } from '../analytics/schema.ts'
import { byRoute, figuresOf } from './rules.ts'
import { maxRoutes, PromiseReport, PromiseReportQuery } from './schema.ts'
import { countPromises } from './store.ts'

export const reportPromises = operation({
  name: 'reportPromises',
  summary: 'Get how many delivery promises were kept',
  description: `Counts the promises of orders by their last promised day, as the country of destination has it. The default is the last ${defaultDays} days including today, the maximum ${maxDays} days. Of those promised at 90 percent, \`calibration\` says how many arrived in time.`,
  area: 'Analytics',
  route: 'GET /v1/shops/{slug}/analytics/promises',
  reads: 'replica',
  needs: 'viewer',
  query: PromiseReportQuery,
  reply: PromiseReport,
  async handle(context, { query }) {
    const period = periodOf(query, context.now)
    const counts = await countPromises(context, period, {
      carrier: query.carrier,
      country: query.country?.toUpperCase(),
    })
    return {
      from: period.firstDay,
      to: period.lastDay,
      as_of: context.now.toISOString(),
      total: figuresOf(counts),
      routes: byRoute(counts)
        .slice(0, maxRoutes)
        .map(({ carrier, country, counts }) => ({
          carrier_reference: carrier,
          carrier_name: carrier === null ? null : (findCarrier(carrier)?.name ?? null),
          destination_country: country,
          ...figuresOf(counts),
        })),
    }
  },
})
