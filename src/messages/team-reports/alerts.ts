import { after, hourMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findShop } from '../../shops/shops/store.ts'
import { renderTeamMail } from '../rendering/team/render.ts'
import { findTeamMailAccount } from '../team-mail/account.ts'
import { timeZoneOf } from '../team-mail/local-time.ts'
import { queueTeamMail } from '../team-mail/outbox.ts'
import { listRecipients, type Recipient } from '../team-mail/recipients.ts'
import { readTeamMailSettings } from '../team-mail/settings-store.ts'
import type { AlertSubject } from '../team-mail/view.ts'
import {
  deleteIncidents,
  type EndedIncident,
  type Incident,
  insertIncidents,
  listEndedIncidents,
  listNewFailures,
} from './incident-store.ts'

export const alertsEveryMs = minuteMs

/** How long something fails before people are alerted. */
const receiverPatienceMs = hourMs
const providerPatienceMs = 15 * minuteMs

const incidentsAtOnce = 500

/**
 * Alerts the team about what fails, once per incident, and gives the all-clear when it recovers: one message per shop and
 * run that lists everything. An incident is opened or closed in the transaction that queues its messages.
 */
export async function sendAlerts(context: Context): Promise<void> {
  const failingBefore = {
    receiver: after(context.now, -receiverPatienceMs),
    provider: after(context.now, -providerPatienceMs),
  }
  const failing = await listNewFailures(context, failingBefore, incidentsAtOnce)
  const ended = await listEndedIncidents(context, incidentsAtOnce)
  for (const shopId of new Set([...failing, ...ended].map((incident) => incident.shopId))) {
    const ofShop = (incident: Incident) => incident.shopId === shopId
    try {
      await alertShop(context, shopId, failing.filter(ofShop), ended.filter(ofShop))
    } catch (err) {
      context.log.error({ err, shop: shopId }, 'the alerts of a shop failed and will be tried again')
    }
  }
}

async function alertShop(context: Context, shopId: string, failing: Incident[], ended: EndedIncident[]): Promise<void> {
  const shop = await findShop(context, shopId)
  if (shop === undefined) return
  const { timeZone, addresses } = await readTeamMailSettings(context, shopId)
  const canSend = (await findTeamMailAccount(context, shopId)) !== undefined
  const recipients = canSend ? (await listRecipients(context, shop, addresses)).filter(({ alerts }) => alerts) : []
  await inTransaction(context, async (context) => {
    const incidents = {
      failing: await insertIncidents(context, failing),
      recovered: (await deleteIncidents(context, ended)).filter(({ isRecovered }) => isRecovered),
    }
    if (incidents.failing.length + incidents.recovered.length === 0) return
    const zone = timeZoneOf(timeZone, shop.language)
    for (const recipient of recipients) {
      await queueTeamMail(context, toMessage({ ...context, shop }, recipient, incidents, zone))
    }
  })
}

function toMessage(
  { shop, services }: ShopContext,
  recipient: Recipient,
  { failing, recovered }: { failing: Incident[]; recovered: Incident[] },
  timeZone: string,
) {
  const dashboardUrl = `${services.publicUrl}/dashboard`
  const times = new Intl.DateTimeFormat(recipient.language === 'en' ? 'en-GB' : recipient.language, {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  const toSubject = (incident: Incident): AlertSubject => ({
    type: incident.type,
    label: labelOf(incident, recipient.isAdmin),
    since: times.format(incident.failingSince),
    url: `${dashboardUrl}/${shop.slug}${pageOf(incident)}`,
  })
  const { subject, html, text } = renderTeamMail({
    kind: 'alert',
    language: recipient.language,
    name: recipient.name,
    dashboardUrl,
    shopName: shop.name,
    failing: failing.map((incident) => ({ ...toSubject(incident), status: incident.status })),
    recovered: recovered.map(toSubject),
    isAddedAddress: recipient.personId === null,
    settingsUrl: `${dashboardUrl}/${shop.slug}/settings/team-mail`,
  })
  const { email: to, personId } = recipient
  return { to, personId, shopId: shop.id, kind: 'alert' as const, subject, html, text }
}

/** Only admins see where webhooks go; nobody is sent the path, which may contain a secret. */
function labelOf({ type, target, url }: Incident, isAdmin: boolean): string | null {
  if (type !== 'webhook') return target
  return isAdmin && url !== null ? new URL(url).host : null
}

function pageOf({ type, target }: Incident): string {
  if (type === 'webhook') return `/messages/webhooks/${target}`
  return type === 'integration' ? `/messages/integrations/${target}` : `/carriers/providers/${target}`
}
