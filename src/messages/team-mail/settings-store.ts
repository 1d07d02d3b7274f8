import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import type { TeamMailAddress } from './schema.ts'

export interface StoredSettings {
  timeZone: string | null
  addresses: TeamMailAddress[]
  nextDigestAt: Date | null
}

const defaults: StoredSettings = { timeZone: null, addresses: [], nextDigestAt: null }

export async function readTeamMailSettings(context: Pick<Context, 'db'>, shopId: string): Promise<StoredSettings> {
  const { rows } = await sql<StoredSettings>`
    select time_zone as "timeZone", addresses, next_digest_at as "nextDigestAt"
    from team_mail_settings where shop_id = ${shopId}`.execute(context.db)
  return rows[0] ?? defaults
}

export async function putTeamMailSettings(
  context: Pick<Context, 'db'>,
  shopId: string,
  { timeZone, addresses, nextDigestAt }: StoredSettings,
): Promise<void> {
  const values = { time_zone: timeZone, addresses: JSON.stringify(addresses), next_digest_at: nextDigestAt }
  await context.db
    .insertInto('team_mail_settings')
    .values({ shop_id: shopId, ...values, last_digest_on: null })
    .onConflict((conflict) => conflict.column('shop_id').doUpdateSet(values))
    .execute()
}

/** A shop whose digests are due. */
export interface DueDigest {
  shopId: string
  dueAt: Date
  timeZone: string | null
  addresses: TeamMailAddress[]
  /** A date, as text. */
  lastOn: string | null
}

/** The shops whose digests have been due longest. */
export async function listDueDigests(context: Context, limit: number): Promise<DueDigest[]> {
  const { rows } = await sql<DueDigest>`
    select shop_id as "shopId", next_digest_at as "dueAt", time_zone as "timeZone", addresses,
      last_digest_on::text as "lastOn"
    from team_mail_settings
    where next_digest_at <= ${context.now} and ${isOfStoppedShop('team_mail_settings')} is not true
    order by next_digest_at
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** Moves the digests of a shop to their next date: true for one caller, which queues them in the same transaction. */
export async function claimDigest(
  context: Pick<Context, 'db'>,
  { shopId, dueAt }: Pick<DueDigest, 'shopId' | 'dueAt'>,
  next: { at: Date | null; lastOn: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ shopId: string }>`
    update team_mail_settings set next_digest_at = ${next.at}, last_digest_on = ${next.lastOn}::date
    where shop_id = ${shopId} and next_digest_at = ${dueAt}
    returning shop_id as "shopId"`.execute(context.db)
  return rows.length > 0
}
