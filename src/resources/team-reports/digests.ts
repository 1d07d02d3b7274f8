import { dateIn } from '../../carriers/local-time.ts'
import { after, hourMs, minuteMs } from '../../foundation/clock.ts'
import type { Context, ShopContext } from '../../foundation/context.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { findShop } from '../shops/store.ts'
import { findTeamMailAccount } from '../team-mail/account.ts'
import { nextTimeAt, timeAt, timeZoneOf, weekdayOf } from '../team-mail/local-time.ts'
import { queueTeamMail } from '../team-mail/outbox.ts'
import { listRecipients, type Recipient } from '../team-mail/recipients.ts'
import { digestHour } from '../team-mail/schema.ts'
import { claimDigest, type DueDigest, listDueDigests } from '../team-mail/settings-store.ts'
import { type DigestFigures, isEmpty, readDigestFigures } from './digest-figures.ts'

export const digestsEveryMs = minuteMs

const shopsAtOnce = 200
/** Later than this, a morning's digest is left out. */
const maxLateMs = 8 * hourMs
const pauseAfterFailureMs = 10 * minuteMs

/**
 * Queues the digests that are due. A shop's digests are claimed in the transaction that queues them: on any number of
 * nodes, and whenever one dies, each recipient gets one per day. What is left when the time is over is still due.
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
  const { subject, html, text } = services.renderTeamMail({
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
