import { dayMs } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { type Period, periodBefore, startOfDay } from '../analytics/period.ts'
import { readDeliveryTimes } from '../analytics/roll-up.ts'
import { readShopDays } from '../calendar/settings-store.ts'
import { filterOf, summarize } from '../delivery-times/rules.ts'
import { findTarget } from '../delivery-times/target-store.ts'
import { WorkingDays } from '../delivery-times/working-days.ts'
import { toException } from '../exceptions/present.ts'
import { summarizeExceptions } from '../exceptions/store.ts'
import { addDays } from '../team-mail/local-time.ts'
import { countLimit, type DigestView } from '../team-mail/view.ts'
import { countNewExceptions, countWaitingClaims } from './digest-store.ts'

export type DigestFigures = Omit<
  DigestView,
  'kind' | 'language' | 'name' | 'dashboardUrl' | 'shopName' | 'isAddedAddress' | 'settingsUrl'
>

const shownParcels = 5

/** What a digest says about a shop on a morning: of the day before, or of the seven days before. */
export async function readDigestFigures(
  context: ShopContext,
  period: DigestFigures['period'],
  today: string,
): Promise<DigestFigures> {
  const to = addDays(today, -1)
  const week = { firstDay: addDays(today, -7), lastDay: to }
  const from = period === 'daily' ? to : week.firstDay
  const url = (path: string) => `${context.services.publicUrl}/dashboard/${context.shop.slug}${path}`
  const { count, withdrawals, oldestAt } = await countWaitingClaims(context)
  const oldestDays = oldestAt === null ? 0 : Math.floor((context.now.getTime() - oldestAt.getTime()) / dayMs)
  return {
    period,
    from,
    to,
    ...(await readDeliveries(context, { firstDay: from, lastDay: to }, week)),
    exceptions: await readExceptions(context, startOfDay(from), url),
    claims: { waiting: count - withdrawals, oldestDays, url: url('/claims') },
    withdrawals: { waiting: withdrawals, url: url('/claims') },
  }
}

/** Nothing happened, and nothing waits for anybody. */
export function isEmpty({ delivered, exceptions, claims, withdrawals }: DigestFigures): boolean {
  return delivered === 0 && exceptions.open === 0 && claims.waiting === 0 && withdrawals.waiting === 0
}

/** Deliveries of the period; on time are those of the week, because a day has too few to compare. */
async function readDeliveries(
  context: ShopContext,
  period: Period,
  week: Period,
): Promise<Pick<DigestFigures, 'delivered' | 'deliveredBefore' | 'onTime'>> {
  const weekBefore = periodBefore(week)
  const { days } = await readDeliveryTimes(context, { firstDay: weekBefore.firstDay, lastDay: week.lastDay })
  const target = await findTarget(context)
  const workingDays = new WorkingDays(week.lastDay, await readShopDays(context, context.shop.id))
  const totalOf = (period: Period) =>
    summarize(period, days, { filter: filterOf({}), groupBy: ['carrier'], target, workingDays }).total
  const rateOf = ({ target: ofTarget, on_time_rate }: ReturnType<typeof totalOf>) =>
    target ? (ofTarget?.rate ?? null) : on_time_rate
  const [now, before] = [totalOf(week), totalOf(weekBefore)]
  const rate = rateOf(now)
  return {
    delivered: totalOf(period).delivered,
    deliveredBefore: period.firstDay === week.firstDay ? before.delivered : null,
    onTime:
      rate === null
        ? null
        : { rate, before: rateOf(before), target: target && { days: target.days, unit: target.unit } },
  }
}

async function readExceptions(
  context: ShopContext,
  since: Date,
  url: (path: string) => string,
): Promise<DigestFigures['exceptions']> {
  const { counts, parcels } = await summarizeExceptions(context, { count: countLimit, parcels: shownParcels })
  const open = counts.reduce((sum, { count }) => sum + count, 0)
  return {
    open,
    new: open === 0 ? 0 : await countNewExceptions(context, since),
    kinds: counts.filter(({ count }) => count > 0),
    parcels: parcels.slice(0, shownParcels).map((row) => {
      const { kind, order_number, carrier_name, facts, shipment_id } = toException(context, row)
      return {
        kind,
        orderNumber: order_number,
        carrier: carrier_name,
        days: facts.days,
        url: url(`/shipments/${shipment_id}`),
      }
    }),
    url: url('/exceptions'),
  }
}
