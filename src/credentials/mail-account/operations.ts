import type { ShopContext } from '../../platform/foundation/context.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { getTriggerSettings } from '../../shops/settings/store.ts'
import { findMailAccount } from './account.ts'
import { MailSettings, MailSettingsUpdate } from './schema.ts'
import { type MailBehaviour, mergeMailSettings, readMailSettings } from './settings-store.ts'

export const getMailSettings = operation({
  name: 'getMailSettings',
  summary: 'Get how e-mail to customers behaves',
  area: 'E-mail',
  route: 'GET /v1/shops/{slug}/settings/mail',
  needs: 'viewer',
  reply: MailSettings,
  handle: (context) => readSettings(context),
})

export const updateMailSettings = operation({
  name: 'updateMailSettings',
  summary: 'Change how e-mail to customers behaves',
  description:
    'Fields that are absent stay as they are, and so do switches and times that are null; null empties a text. The mail server is set by PUT /keys/smtp, and e-mail is switched on by PATCH /settings/triggers/smtp.',
  area: 'E-mail',
  route: 'PATCH /v1/shops/{slug}/settings/mail',
  needs: 'admin',
  body: MailSettingsUpdate,
  reply: MailSettings,
  audit: {
    kind: 'settings',
    id: () => 'mail',
    read: (context) => readMailSettings(context, context.shop.id),
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const changes = mailSettingsChanges(body)
      if (Object.keys(changes).length > 0) {
        await mergeMailSettings(context, context.shop.id, changes)
        await context.services.announce(context, { kind: 'mail', shopId: context.shop.id })
      }
      return readSettings(context)
    }),
})

async function readSettings(context: ShopContext): Promise<MailSettings> {
  const { shop } = context
  const { quiet_enabled, quiet_from, quiet_to, ...settings } = await readMailSettings(context, shop.id)
  const { status } = await getTriggerSettings(context, shop.id, 'smtp')
  return {
    source: (await findMailAccount(context, shop.id))?.source ?? null,
    is_on: status,
    quiet_hours: { enabled: quiet_enabled, from: quiet_from, to: quiet_to },
    ...settings,
  }
}

/** The changes of an update: null empties a text and leaves everything else as it is. */
export function mailSettingsChanges(update: MailSettingsUpdate): Partial<MailBehaviour> {
  const { quiet_hours, promotion, click_counting, footer, bounce_domain } = update
  const changes: Partial<MailBehaviour> = {}
  if (typeof quiet_hours?.enabled === 'boolean') changes.quiet_enabled = quiet_hours.enabled
  if (typeof quiet_hours?.from === 'string') changes.quiet_from = quiet_hours.from
  if (typeof quiet_hours?.to === 'string') changes.quiet_to = quiet_hours.to
  if (typeof promotion === 'boolean') changes.promotion = promotion
  if (typeof click_counting === 'boolean') changes.click_counting = click_counting
  if (footer !== undefined) changes.footer = footer?.trim() || null
  if (bounce_domain !== undefined) changes.bounce_domain = bounce_domain
  return changes
}
