import { type Selectable, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { type Page, type Paging, pageRequest } from '../../platform/foundation/page.ts'
import type { Static } from '../../platform/foundation/schema.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { fetchPage } from '../../platform/store/shop-records.ts'
import type { StoredAddress } from './address.ts'

export type RecipientRow = Selectable<Tables['mail_recipients']>
export type SuppressionReason = 'bounced' | 'complained' | 'rejected' | 'manual'

const isListed = sql`(suppressed_at is not null or opted_out_at is not null)`

export async function findStates(
  context: Context,
  wanted: { shopId: string; digest: Buffer }[],
): Promise<{ isSuppressed: boolean; wantsPromotion: boolean }[]> {
  const given = wanted.map(({ shopId, digest }, number) => ({
    number,
    shop_id: shopId,
    digest: digest.toString('hex'),
  }))
  const { rows } = await sql<{ number: number; isSuppressed: boolean; wantsPromotion: boolean }>`
    select given.number, known.suppressed_at is not null as "isSuppressed", known.opted_out_at is null as "wantsPromotion"
    from json_to_recordset(${JSON.stringify(given)}::json) as given (number int, shop_id uuid, digest text)
    cross join lateral (
      select suppressed_at, opted_out_at from mail_recipients
      where mail_recipients.shop_id = given.shop_id and mail_recipients.digest = decode(given.digest, 'hex')
      offset 0
    ) as known`.execute(context.db)
  const known = new Map(rows.map(({ number, ...state }) => [number, state]))
  return wanted.map((_one, number) => known.get(number) ?? { isSuppressed: false, wantsPromotion: true })
}

interface Change {
  suppressed?: { reason: SuppressionReason; detail: string | null }
  /** Null: wants promotion again. */
  optedOutAt?: Date | null
}

/** A complaint counts more than a bounce; else what came first stays. */
export async function saveRecipient(
  context: Context,
  shopId: string,
  { digest, masked }: StoredAddress,
  { suppressed, optedOutAt }: Change,
): Promise<RecipientRow> {
  const { now } = context
  const stays = sql`(excluded.suppressed_reason is null
    or (known.suppressed_reason is not null and excluded.suppressed_reason <> 'complained'))`
  const { rows } = await sql<RecipientRow>`
    insert into mail_recipients as known
      (shop_id, id, digest, masked, suppressed_reason, suppressed_at, detail, opted_out_at, created_at)
    values (${shopId}, ${newId(now)}, ${digest}, ${masked}, ${suppressed?.reason ?? null}, ${suppressed ? now : null},
      ${suppressed?.detail ?? null}, ${optedOutAt ?? null}, ${now})
    on conflict (shop_id, digest) do update set
      masked = excluded.masked,
      suppressed_reason = case when ${stays} then known.suppressed_reason else excluded.suppressed_reason end,
      suppressed_at = case when ${stays} then known.suppressed_at else excluded.suppressed_at end,
      detail = case when ${stays} then known.detail else excluded.detail end,
      opted_out_at = ${optedOutAt === undefined ? sql`known.opted_out_at` : sql`excluded.opted_out_at`}
    returning *`.execute(context.db)
  return rows[0] as RecipientRow // it was inserted or updated
}

/** Counts a day on which a server rejected the address. From the second day on it is suppressed. */
export async function saveRejection(
  context: Context,
  shopId: string,
  { digest, masked }: StoredAddress,
  detail: string | null,
): Promise<void> {
  const { now } = context
  const day = now.toISOString().slice(0, 10)
  const isAnotherDay = sql`(known.suppressed_at is null and known.rejected_on < ${day}::date)`
  await sql`
    insert into mail_recipients as known (shop_id, id, digest, masked, rejected_on, created_at)
    values (${shopId}, ${newId(now)}, ${digest}, ${masked}, ${day}::date, ${now})
    on conflict (shop_id, digest) do update set
      masked = excluded.masked,
      rejected_on = coalesce(known.rejected_on, excluded.rejected_on),
      suppressed_reason = case when ${isAnotherDay} then 'rejected' else known.suppressed_reason end,
      suppressed_at = case when ${isAnotherDay} then ${now}::timestamptz else known.suppressed_at end,
      detail = case when ${isAnotherDay} then ${detail} else known.detail end`.execute(context.db)
}

export function listRecipients(context: ShopContext, paging: Static<typeof Paging>): Promise<Page<RecipientRow>> {
  return fetchPage(
    context,
    {
      name: `mail recipients ${context.shop.id}`,
      rows: sql`from mail_recipients where shop_id = ${context.shop.id} and ${isListed}`,
      orderBy: sql`id desc`,
    },
    pageRequest(paging),
  )
}

export async function findRecipient(context: ShopContext, id: string): Promise<RecipientRow | undefined> {
  const { rows } = await sql<RecipientRow>`
    select * from mail_recipients where shop_id = ${context.shop.id} and id = ${id} and ${isListed}`.execute(context.db)
  return rows[0]
}

export async function findRecipientByDigest(context: ShopContext, digest: Buffer): Promise<RecipientRow | undefined> {
  const { rows } = await sql<RecipientRow>`
    select * from mail_recipients
    where shop_id = ${context.shop.id} and digest = ${digest} and ${isListed}`.execute(context.db)
  return rows[0]
}

/**
 * Mails an address again. If it also wants no promotion, that stays: the customer said so. Only an address that is
 * listed for nothing else gets promotion again.
 */
export async function liftRecipient(context: ShopContext, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with gone as (
      delete from mail_recipients
      where shop_id = ${context.shop.id} and id = ${id} and ${isListed}
        and (suppressed_at is null or opted_out_at is null)
      returning id
    ), kept as (
      update mail_recipients set suppressed_reason = null, suppressed_at = null, detail = null, rejected_on = null
      where shop_id = ${context.shop.id} and id = ${id} and suppressed_at is not null and opted_out_at is not null
      returning id
    )
    select id from gone union all select id from kept`.execute(context.db)
  return rows.length > 0
}

/** An address whose customer is erased: what they wanted stays in force, without a readable form of the address. */
export async function eraseRecipient(context: ShopContext, digest: Buffer): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with gone as (
      delete from mail_recipients
      where shop_id = ${context.shop.id} and digest = ${digest} and opted_out_at is null
        and suppressed_reason is distinct from 'complained'
      returning id
    ), kept as (
      update mail_recipients set masked = null, detail = null
      where shop_id = ${context.shop.id} and digest = ${digest}
        and (opted_out_at is not null or suppressed_reason = 'complained')
      returning id
    )
    select id from gone union all select id from kept`.execute(context.db)
  return rows.length
}

/** The payload of a delivery to `smtp`: it says who the message went to. */
export async function findMailedPayload(context: ShopContext, deliveryId: string): Promise<string | undefined> {
  const { rows } = await sql<{ body: string }>`
    select notifications.body from deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    where deliveries.shop_id = ${context.shop.id} and deliveries.id = ${deliveryId}
      and deliveries.target = 'smtp'`.execute(context.db)
  return rows[0]?.body
}
