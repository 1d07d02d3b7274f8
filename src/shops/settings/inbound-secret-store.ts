import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { randomText } from '../../platform/foundation/ids.ts'

/** Secrets that the shop's own systems sign their messages to us with, newest first; none before the first request. */
export async function findInboundSecrets(context: Context, shopId: string): Promise<string[]> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select(['inbound_secret', 'former_inbound_secret', 'former_inbound_until'])
    .executeTakeFirst()
  const isFormerValid = row?.former_inbound_until != null && row.former_inbound_until > context.now
  const sealed = [row?.inbound_secret, isFormerValid ? row.former_inbound_secret : null]
  return sealed.flatMap((secret) => (secret ? [context.services.vault.open(secret, purposeOf(shopId))] : []))
}

/** The newest; created on the first request. */
export async function getInboundSecret(context: Context, shopId: string): Promise<string> {
  const [known] = await findInboundSecrets(context, shopId)
  if (known !== undefined) return known
  const fresh = context.services.vault.seal(randomText(40), purposeOf(shopId))
  const row = await context.db
    .updateTable('shop_settings')
    // Of two requests at the same time, the first one's secret is stored.
    .set({ inbound_secret: sql`coalesce(inbound_secret, ${fresh})` })
    .where('shop_id', '=', shopId)
    .returning('inbound_secret')
    .executeTakeFirstOrThrow()
  return context.services.vault.open(row.inbound_secret ?? fresh, purposeOf(shopId))
}

/** Replaces it; the one before is accepted until then. Returns the new one. */
export async function rotateInboundSecret(context: Context, shopId: string, formerUntil: Date): Promise<string> {
  const secret = randomText(40)
  await context.db
    .updateTable('shop_settings')
    .set({
      inbound_secret: context.services.vault.seal(secret, purposeOf(shopId)),
      former_inbound_secret: sql.ref('inbound_secret'),
      former_inbound_until: formerUntil,
    })
    .where('shop_id', '=', shopId)
    .execute()
  return secret
}

function purposeOf(shopId: string): string {
  return `${shopId}:inbound`
}
