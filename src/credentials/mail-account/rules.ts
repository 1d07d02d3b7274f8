import type { MailSettingsUpdate } from './schema.ts'
import type { MailSettings } from './settings-store.ts'

/** What an update changes: null empties a text and leaves everything else as it is. */
export function mailSettingsChanges(update: MailSettingsUpdate): Partial<MailSettings> {
  const { quiet_hours, promotion, click_counting, footer, bounce_domain } = update
  const changes: Partial<MailSettings> = {}
  if (typeof quiet_hours?.enabled === 'boolean') changes.quiet_enabled = quiet_hours.enabled
  if (typeof quiet_hours?.from === 'string') changes.quiet_from = quiet_hours.from
  if (typeof quiet_hours?.to === 'string') changes.quiet_to = quiet_hours.to
  if (typeof promotion === 'boolean') changes.promotion = promotion
  if (typeof click_counting === 'boolean') changes.click_counting = click_counting
  if (footer !== undefined) changes.footer = footer?.trim() || null
  if (bounce_domain !== undefined) changes.bounce_domain = bounce_domain
  return changes
}
