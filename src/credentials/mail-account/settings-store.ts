import type { Selectable } from 'kysely'
import { defineCache } from '../../platform/foundation/caches.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'

/** How a shop's messages to customers behave. */
export type MailBehaviour = Omit<Selectable<Tables['mail_settings']>, 'shop_id' | 'updated_at'>

/** Promotion needs the merchant's decision; quiet hours do not, since nobody needs messages at night. */
const defaultMailSettings: MailBehaviour = {
  quiet_enabled: true,
  quiet_from: '21:00',
  quiet_to: '07:00',
  promotion: false,
  click_counting: false,
  footer: null,
  bounce_domain: null,
}

const settingsCache = defineCache<MailBehaviour>({
  name: 'mail settings',
  maxEntries: 1_000,
  ttlMs: minuteMs,
  invalidatedBy: { mail: ({ shopId }, _value, key) => key === shopId },
})

/** From the cache: every message needs them. */
export async function mailSettings(context: Context, shopId: string): Promise<MailBehaviour> {
  const cache = context.services.caches.open(settingsCache)
  return cache.get(shopId, context.now) ?? (await cache.load(context, shopId, () => readMailSettings(context, shopId)))
}

export async function readMailSettings(context: Context, shopId: string): Promise<MailBehaviour> {
  const row = await context.db.selectFrom('mail_settings').where('shop_id', '=', shopId).selectAll().executeTakeFirst()
  if (row === undefined) return defaultMailSettings
  const { shop_id: _shop, updated_at: _time, ...settings } = row
  return settings
}

export async function mergeMailSettings(
  context: Context,
  shopId: string,
  changes: Partial<MailBehaviour>,
): Promise<void> {
  const changed = { ...changes, updated_at: context.now }
  await context.db
    .insertInto('mail_settings')
    .values({ shop_id: shopId, ...defaultMailSettings, ...changed })
    .onConflict((conflict) => conflict.column('shop_id').doUpdateSet(changed))
    .execute()
}
