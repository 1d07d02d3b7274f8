import { dateIn } from '../../adapters/carriers/local-time.ts'
import { periodBefore, type ReportPeriod, startOfDay } from '../../figures/analytics/period.ts'
import { readDeliveryTimes } from '../../figures/analytics/roll-up.ts'
import { filterOf, summarize } from '../../figures/delivery-times/rules.ts'
import { findTarget } from '../../figures/delivery-times/target-store.ts'
import { WorkingDays } from '../../figures/delivery-times/working-days.ts'
import { after, dayMs, hourMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { readShopDays } from '../../shops/calendar/settings-store.ts'
import { findShop } from '../../shops/shops/store.ts'
import { toException } from '../../tracking/exceptions/present.ts'
import { summarizeExceptions } from '../../tracking/exceptions/store.ts'
import { renderTeamMail } from '../rendering/team/render.ts'
import { findTeamMailAccount } from '../team-mail/account.ts'
import { addDays, nextTimeAt, timeAt, timeZoneOf, weekdayOf } from '../team-mail/local-time.ts'
import { queueTeamMail } from '../team-mail/outbox.ts'
import { listRecipients, type Recipient } from '../team-mail/recipients.ts'
import { digestHour } from '../team-mail/schema.ts'
import { claimDigest, type DueDigest, listDueDigests } from '../team-mail/settings-store.ts'
import { countLimit, type DigestView } from '../team-mail/view.ts'
import { countNewExceptions, countWaitingClaims } from './digest-store.ts'

export const digestsEveryMs = minuteMs

const shopsAtOnce = 200
/** Later than this, a morning's digest is left out. */
const maxLateMs = 8 * hourMs
const pauseAfterFailureMs = 10 * minuteMs

/**
 * Queues the digests that are due. The transaction that queues a shop's digests also sets their next date: on any
 * number of nodes, and whenever one dies, each recipient gets one per day. Digests left when the time is over are still
 * due.
 */
export async function sendDigests(context: Context, maxRunMs = Number.POSITIVE_INFINITY): Promise<void> {
  const startedAt = performance.now()
  for (const due of await listDueDigests(context, shopsAtOnce)) {
    if (performance.now() - startedAt > maxRunMs) return
    try {
      await sendDigestsOf(context, due)
    } catch (err) {
      context.log.error({ err, shop: due.shopId }, 'the digests of a shop failed and will be tried again')
      await claimDigest(context, due, { at: after(context.now, pauseAfterFailureMs), lastOn: due.lastOn })
    }
  }
}

async function sendDigestsOf(context: Context, due: DueDigest): Promise<void> {
  const shop = await findShop(context, due.shopId)
  if (shop === undefined) return
  const zone = timeZoneOf(due.timeZone, shop.language)
  const today = dateIn(zone, context.now)
  // Of today's morning: nobody wants those of days on which nothing could be sent.
  const lateMs = context.now.getTime() - timeAt(zone, today, digestHour).getTime()
  const isTimely = lateMs >= 0 && lateMs < maxLateMs && (due.lastOn === null || due.lastOn < today)
  const messages = isTimely ? await prepareDigests({ ...context, shop }, due, today) : []
  await inTransaction(context, async (context) => {
    const next = { at: nextTimeAt(zone, digestHour, context.now), lastOn: isTimely ? today : due.lastOn }
    if (!(await claimDigest(context, due, next))) return
    for (const message of messages) await queueTeamMail(context, message)
  })
}

/** Figures are read once for all recipients, and before the transaction. */
async function prepareDigests(context: ShopContext, due: DueDigest, today: string) {
  const { shop } = context
  const all = await listRecipients(context, shop, due.addresses)
  const daily = all.filter(({ digest }) => digest === 'daily')
  const weekly = weekdayOf(today) === 1 ? all.filter(({ digest }) => digest === 'weekly') : []
  if (daily.length + weekly.length === 0) return []
  if ((await findTeamMailAccount(context, shop.id)) === undefined) return []
  const ofDay = daily.length === 0 ? undefined : await readDigestFigures(context, 'daily', today)
  const ofWeek = weekly.length === 0 ? undefined : await readDigestFigures(context, 'weekly', today)
  return [
    ...(ofDay && !isEmpty(ofDay) ? daily.map((recipient) => toMessage(context, recipient, ofDay)) : []),
    ...(ofWeek ? weekly.map((recipient) => toMessage(context, recipient, ofWeek)) : []),
  ]
}

function toMessage({ shop, services }: ShopContext, recipient: Recipient, figures: DigestFigures) {
  const dashboardUrl = `${services.publicUrl}/dashboard`
  const { subject, html, text } = renderTeamMail({
    ...figures,
    kind: 'digest',
    language: recipient.language,
    name: recipient.name,
    dashboardUrl,
    shopName: shop.name,
    isAddedAddress: recipient.personId === null,
    settingsUrl: `${dashboardUrl}/${shop.slug}/settings/team-mail`,
  })
  const { email: to, personId } = recipient
  return { to, personId, shopId: shop.id, kind: 'digest' as const, subject, html, text }
}

type DigestFigures = Omit<
  DigestView,
  'kind' | 'language' | 'name' | 'dashboardUrl' | 'shopName' | 'isAddedAddress' | 'settingsUrl'
>

const shownParcels = 5

/** The figures of a shop in a digest on a morning: of the day before, or of the seven days before. */
async function readDigestFigures(
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
function isEmpty({ delivered, exceptions, claims, withdrawals }: DigestFigures): boolean {
  return delivered === 0 && exceptions.open === 0 && claims.waiting === 0 && withdrawals.waiting === 0
}

/** Deliveries of the period; on time are those of the week, because a day has too few to compare. */
async function readDeliveries(
  context: ShopContext,
  period: ReportPeriod,
  week: ReportPeriod,
): Promise<Pick<DigestFigures, 'delivered' | 'deliveredBefore' | 'onTime'>> {
  const weekBefore = periodBefore(week)
  const { days } = await readDeliveryTimes(context, { firstDay: weekBefore.firstDay, lastDay: week.lastDay })
  const target = await findTarget(context)
  const workingDays = new WorkingDays(week.lastDay, await readShopDays(context, context.shop.id))
  const totalOf = (period: ReportPeriod) =>
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
