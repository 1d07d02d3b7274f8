import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { readShopDays } from '../../shops/calendar/settings-store.ts'
import { dayOf, periodOf, type ReportPeriod, startOfDay } from '../analytics/period.ts'
import { readDeliveryTimes } from '../analytics/roll-up.ts'
import { defaultDays, maxDays } from '../analytics/schema.ts'
import { countParcels, listParcels, parseCursor, toCursor } from './parcels.ts'
import { filterOf, summarize, weekOf } from './rules.ts'
import {
  DeliveredParcels,
  DeliveredParcelsQuery,
  DeliveryTarget,
  DeliveryTargetUpdate,
  DeliveryTimes,
  DeliveryTimesQuery,
  type Grouping,
} from './schema.ts'
import { findTarget, readTarget, writeTarget } from './target-store.ts'
import { WorkingDays } from './working-days.ts'

const counting = `Counts parcels to customers by the day of their delivery, in UTC. The default is the last ${defaultDays} days including today, the maximum ${maxDays} days.`

export const getDeliveryTimes = operation({
  name: 'getDeliveryTimes',
  summary: 'Get how long deliveries took, and how many were on time',
  description: `${counting} Days are counted from the day after the start up to and including the day of delivery; business days are those of the country of destination, with what the shop has set. Journeys of more than a year count as one of 366 days. A day has at most 500 groups of carrier, country and service; parcels of further groups are counted without these.`,
  area: 'Analytics',
  route: 'GET /v1/shops/{slug}/analytics/delivery-times',
  reads: 'replica',
  needs: 'viewer',
  query: DeliveryTimesQuery,
  reply: DeliveryTimes,
  async handle(context, { query }) {
    const period = periodOf(query, context.now)
    const { days, asOf } = await readDeliveryTimes(context, period)
    const target = await findTarget(context)
    return {
      from: period.firstDay,
      to: period.lastDay,
      as_of: asOf.toISOString(),
      target,
      ...summarize(period, days, {
        filter: filterOf(query),
        groupBy: (query.group_by ?? 'carrier').split(',') as Grouping[], // the schema allows only these
        target,
        workingDays: await workingDaysUntil(context, period),
      }),
    }
  },
})

export const listDeliveredParcels = operation({
  name: 'listDeliveredParcels',
  summary: 'List the parcels behind a figure of delivery times',
  description: `${counting} Newest delivery first.`,
  area: 'Analytics',
  route: 'GET /v1/shops/{slug}/analytics/delivery-times/parcels',
  reads: 'replica',
  needs: 'viewer',
  query: DeliveredParcelsQuery,
  reply: DeliveredParcels,
  async handle(context, { query }) {
    const cursor = parseCursor(query.cursor)
    const asked = periodOf(query, context.now)
    const period = query.week === undefined ? asked : withinWeek(asked, query.week)
    const target = await findTarget(context)
    if (period === undefined) {
      return { as_of: context.now.toISOString(), target, total: 0, parcels: [], next_cursor: null }
    }
    const { days, asOf } = await readDeliveryTimes(context, period)
    const search = {
      period,
      filter: filterOf(query),
      outcome: query.outcome ?? 'all',
      target,
      workingDays: await workingDaysUntil(context, period),
    }
    const { total, dates } = countParcels(days, search)
    const { parcels, next } = await listParcels(context, search, dates, { perPage: query.per_page ?? 30, cursor })
    return { as_of: asOf.toISOString(), target, total, parcels, next_cursor: next ? toCursor(next) : null }
  },
})

export const getDeliveryTarget = operation({
  name: 'getDeliveryTarget',
  summary: 'Get within how many days the shop wants to deliver',
  area: 'Analytics',
  route: 'GET /v1/shops/{slug}/settings/delivery-target',
  needs: 'viewer',
  reply: DeliveryTarget,
  handle: (context) => readTarget(context, context.shop.id),
})

export const updateDeliveryTarget = operation({
  name: 'updateDeliveryTarget',
  summary: 'Change within how many days the shop wants to deliver',
  description: 'Fields that are absent stay as they are. It applies to past deliveries as well.',
  area: 'Analytics',
  route: 'PATCH /v1/shops/{slug}/settings/delivery-target',
  needs: 'admin',
  body: DeliveryTargetUpdate,
  reply: DeliveryTarget,
  audit: { kind: 'settings', id: () => 'delivery-target', read: (context) => readTarget(context, context.shop.id) },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const known = await readTarget(context, context.shop.id)
      await writeTarget(context, { ...known, ...given(body, ['days', 'unit', 'since']) })
      return readTarget(context, context.shop.id)
    }),
})

async function workingDaysUntil(context: ShopContext, { lastDay }: ReportPeriod): Promise<WorkingDays> {
  return new WorkingDays(lastDay, await readShopDays(context, context.shop.id))
}

/** The days of a week that are in the period; undefined if there are none. */
function withinWeek({ firstDay, lastDay }: ReportPeriod, week: string): ReportPeriod | undefined {
  if (weekOf(week) !== week) throw invalid(['query', 'week'], 'must be a Monday')
  const sunday = dayOf(after(startOfDay(week), 6 * dayMs))
  const [first, last] = [week > firstDay ? week : firstDay, sunday < lastDay ? sunday : lastDay]
  return first > last ? undefined : { firstDay: first, lastDay: last }
}
