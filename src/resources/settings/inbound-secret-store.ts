import { sql } from 'kysely'
import type { Context } from '../../foundation/context.ts'
import { randomText } from '../../foundation/ids.ts'

/** What the shop's own systems sign their messages to us with; undefined before it was first requested. */
export async function findInboundSecret(context: Context, shopId: string): Promise<string | undefined> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('inbound_secret')
    .executeTakeFirst()
  return row?.inbound_secret ? context.services.vault.open(row.inbound_secret, purposeOf(shopId)) : undefined
}

/** The same; created on the first request. */
export async function getInboundSecret(context: Context, shopId: string): Promise<string> {
  const known = await findInboundSecret(context, shopId)
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

function purposeOf(shopId: string): string {
  return `${shopId}:inbound`
}
