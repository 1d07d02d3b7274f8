import { sql } from 'kysely'
import { hourMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findFact, putFact, removeFact, sealedAddressesFact } from '../../platform/store/installation.ts'
import { hasOlderNodes } from '../../platform/store/older-nodes.ts'
import { sealAddress } from './sealed-address.ts'

/** A node that is restarted, or has lost its connection, is back by then. */
const quietMs = hourMs
const sealedAtOnce = 200

/** Whether addresses of webhooks are sealed now: nodes of version 0.2.0 could not read them. */
export async function sealsAddresses(context: Pick<Context, 'db'>): Promise<boolean> {
  return (await findFact(context, sealedAddressesFact)) === 'on'
}

/** Begins to seal addresses when no node of version 0.2.0 was there for an hour. Returns whether they are sealed now. */
export async function beginSealing(context: Context): Promise<boolean> {
  const known = await findFact(context, sealedAddressesFact)
  if (known === 'on') return true
  if (await hasOlderNodes(context)) {
    if (known !== undefined) await removeFact(context, sealedAddressesFact)
    return false
  }
  const isQuiet = known !== undefined && context.now.getTime() - Date.parse(known) >= quietMs
  if (isQuiet) await putFact(context, sealedAddressesFact, 'on')
  else if (known === undefined) await putFact(context, sealedAddressesFact, context.now.toISOString())
  return isQuiet
}

export async function sealAtOnce(context: Context): Promise<void> {
  if (!(await sealsAddresses(context))) await putFact(context, sealedAddressesFact, 'on')
}

/** The key of the last endpoint of a batch. */
export interface Position {
  shopId: string
  id: string
}

interface PlainRow extends Position {
  url: string
}

/** Seals the addresses of the next endpoints; undefined after the last. Those that somebody changes now are skipped. */
export function sealNext(context: Context, after: Position | undefined): Promise<Position | undefined> {
  return inTransaction(context, async (context) => {
    const { rows } = await sql<PlainRow>`
      select shop_id as "shopId", id, url from webhook_endpoints
      where sealed_url is null
        ${after ? sql`and (shop_id, id) > (${after.shopId}::uuid, ${after.id}::uuid)` : sql``}
      order by shop_id, id limit ${sql.lit(sealedAtOnce)} for no key update skip locked`.execute(context.db)
    const sealed = rows.map((row) => ({ ...row, ...sealAddress(context, row, row.url) }))
    if (sealed.length > 0) {
      await sql`
        update webhook_endpoints set url = given.url, sealed_url = decode(given.sealed, 'hex')
        from unnest(
          ${sealed.map(({ shopId }) => shopId)}::uuid[], ${sealed.map(({ id }) => id)}::uuid[],
          ${sealed.map(({ url }) => url)}::text[], ${sealed.map(({ sealed_url }) => sealed_url?.toString('hex'))}::text[]
        ) as given (shop_id, id, url, sealed)
        where webhook_endpoints.shop_id = given.shop_id and webhook_endpoints.id = given.id
          -- Made twice in the moment in which sealing began: the older one stays readable, and both are sent to.
          and not exists (
            select 1 from webhook_endpoints as other where other.shop_id = given.shop_id and other.url = given.url
          )`.execute(context.db)
    }
    return rows.length < sealedAtOnce ? undefined : rows.at(-1)
  })
}
