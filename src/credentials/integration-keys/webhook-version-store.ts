import type { ShopContext } from '../../platform/foundation/context.ts'

/** Stores which version of messages a provider sends to the shop. Writes only if it is another one. */
export async function noteWebhookVersion(context: ShopContext, provider: string, version: string): Promise<void> {
  await context.db
    .updateTable('integration_keys')
    .set({ webhook_version: version })
    .where('shop_id', '=', context.shop.id)
    .where('provider', '=', provider)
    .where((where) => where('webhook_version', 'is distinct from', version))
    .execute()
}

/** The version of the messages that the provider sent last; undefined if there was none, or it does not state any. */
export async function findWebhookVersion(context: ShopContext, provider: string): Promise<string | undefined> {
  const row = await context.db
    .selectFrom('integration_keys')
    .where('shop_id', '=', context.shop.id)
    .where('provider', '=', provider)
    .select('webhook_version')
    .executeTakeFirst()
  return row?.webhook_version ?? undefined
}
