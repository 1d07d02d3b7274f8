import { sql } from 'kysely'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { mailGroups } from '../customer-mail/groups.ts'
import { countAll } from '../figures/store.ts'

/** The store's facts about the other messages of an order. */
export interface EarlierMessages {
  orderId: string
  shipmentId: string | null
  hasNewer: boolean
  lastAt: Date | null
  references: string[]
}

interface Wanted {
  shopId: string
  deliveryId: string
  notificationId: string
  now: Date
}

/** A message whose sending has begun counts for this long, even if the server has not accepted it yet. */
const inFlightMs = 2 * minuteMs

const parcelGroups = mailGroups
  .filter(({ about }) => about !== 'claim' && about !== 'withdrawal')
  .map(({ name }) => name)

/** By delivery; those that are about no order are missing. The rows of an order are few, and each is found by an index. */
export async function findEarlierMessages(context: Context, wanted: Wanted[]): Promise<Map<string, EarlierMessages>> {
  const given = wanted.map(({ shopId, deliveryId, notificationId, now }) => ({
    shop_id: shopId,
    delivery_id: deliveryId,
    notification_id: notificationId,
    in_flight_since: after(now, -inFlightMs),
  }))
  const { rows } = await sql<EarlierMessages & { deliveryId: string }>`
    select given.delivery_id as "deliveryId", own.order_id as "orderId", own.shipment_id as "shipmentId", exists (
        select 1 from notifications
        join deliveries on deliveries.shop_id = notifications.shop_id and deliveries.notification_id = notifications.id
        where notifications.shop_id = given.shop_id and notifications.order_id = own.order_id
          and deliveries.target = 'smtp' and deliveries.id > given.delivery_id
          and deliveries.status in ('pending', 'delivered') and deliveries.event_group = any(${parcelGroups}::text[])
        offset 0
      ) as "hasNewer",
      messages.last_at as "lastAt",
      -- The first and the last of the thread.
      case when messages.first_id is null then '{}'
        when messages.first_id = messages.last_id then array[messages.first_id]
        else array[messages.first_id, messages.last_id] end as references
    from json_to_recordset(${JSON.stringify(given)}::json) as given
      (shop_id uuid, delivery_id uuid, notification_id uuid, in_flight_since timestamptz)
    cross join lateral (
      select order_id, shipment_id from notifications
      where notifications.shop_id = given.shop_id and notifications.id = given.notification_id
      offset 0
    ) as own
    cross join lateral (
      select max(coalesce(sent_at, started_at)) filter (where is_about_parcels
          and (sent_at is not null or started_at > given.in_flight_since)) as last_at,
        (array_agg(message_id order by sent_at, delivery_id) filter (where is_of_thread))[1] as first_id,
        (array_agg(message_id order by sent_at desc, delivery_id desc) filter (where is_of_thread))[1] as last_id
      from (
        select *, sent_at is not null and shipment_id is not distinct from own.shipment_id as is_of_thread
        from mail_messages
        where mail_messages.shop_id = given.shop_id and mail_messages.order_id = own.order_id
          and mail_messages.delivery_id <> given.delivery_id
        offset 0
      ) as others
    ) as messages
    where own.order_id is not null`.execute(context.db)
  return new Map(rows.map(({ deliveryId, ...row }) => [deliveryId, row]))
}

export interface StartedMessage {
  shopId: string
  deliveryId: string
  orderId: string
  shipmentId: string | null
  isAboutParcels: boolean
  startedAt: Date
}

/** Stores messages whose sending begins; a repeated attempt begins again. Those of erased orders are left out. */
export async function insertMessages(context: Context, messages: StartedMessage[]): Promise<void> {
  if (messages.length === 0) return
  const given = messages.map((message) => ({
    shop_id: message.shopId,
    delivery_id: message.deliveryId,
    order_id: message.orderId,
    shipment_id: message.shipmentId,
    is_about_parcels: message.isAboutParcels,
    started_at: message.startedAt,
  }))
  await sql`
    insert into mail_messages (shop_id, delivery_id, order_id, shipment_id, is_about_parcels, started_at)
    select given.* from json_to_recordset(${JSON.stringify(given)}::json) as given
      (shop_id uuid, delivery_id uuid, order_id uuid, shipment_id uuid, is_about_parcels boolean, started_at timestamptz)
    join orders on orders.shop_id = given.shop_id and orders.id = given.order_id
    order by given.shop_id, given.delivery_id
    on conflict (shop_id, delivery_id) do update set started_at = excluded.started_at`.execute(context.db)
}

export interface SentMessage {
  shopId: string
  deliveryId: string
  messageId: string
  sentAt: Date
}

export async function setSent(context: Context, messages: SentMessage[]): Promise<undefined[]> {
  const given = messages.map(({ shopId, deliveryId, messageId, sentAt }) => ({
    shop_id: shopId,
    delivery_id: deliveryId,
    message_id: messageId,
    sent_at: sentAt,
  }))
  const { rows } = await sql<{ shopId: string; at: Date; group: string }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as given
        (shop_id uuid, delivery_id uuid, message_id text, sent_at timestamptz)
    ), sent as (
      update mail_messages set message_id = given.message_id, sent_at = given.sent_at
      from given
      where mail_messages.shop_id = given.shop_id and mail_messages.delivery_id = given.delivery_id
    )
    select given.shop_id as "shopId", given.sent_at as at, deliveries.event_group as group
    from given
    cross join lateral (
      select event_group from deliveries
      where deliveries.shop_id = given.shop_id and deliveries.id = given.delivery_id
      offset 0
    ) as deliveries`.execute(context.db)
  if (rows.length > 0) {
    await countAll(
      context,
      rows.map((row) => ({ ...row, kind: 'sent' })),
    )
  }
  return messages.map(() => undefined)
}

export async function deleteMessagesOf(context: ShopContext, orderIds: string[]): Promise<void> {
  await sql`
    delete from mail_messages
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])`.execute(context.db)
}

/** Deletes old rows, in batches; returns how many. */
export async function deleteMessagesBefore(context: Pick<Context, 'db'>, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ delivery_id: string }>`
    delete from mail_messages using (
      select shop_id, delivery_id from mail_messages where started_at < ${before} order by started_at limit ${sql.lit(limit)}
    ) as old
    where mail_messages.shop_id = old.shop_id and mail_messages.delivery_id = old.delivery_id
    returning mail_messages.delivery_id`.execute(context.db)
  return rows.length
}
