import type { Selectable } from 'kysely'
import type { ShopwareAccount } from '../../adapters/shop-systems/shopware/admin-api.ts'
import { appNameFor } from '../../adapters/shop-systems/shopware/manifest.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { randomText } from '../../platform/foundation/ids.ts'
import type { Tables } from '../../platform/foundation/tables.ts'

export type AppRow = Selectable<Tables['shopware_apps']>

/** The secret and the credentials shared with a connected Shopware. */
export interface Connection {
  /** The secret that it signs with. */
  secret: string
  clientId: string
  clientSecret: string
}

/** Shopware requires 64 to 255 characters. */
export const secretLength = 64

export async function findApp(context: Context, shopId: string): Promise<AppRow | undefined> {
  return context.db.selectFrom('shopware_apps').where('shop_id', '=', shopId).selectAll().executeTakeFirst()
}

/** The shop's app; created on first use. */
export async function getApp(context: ShopContext): Promise<AppRow> {
  const { id, slug } = context.shop
  const secret = context.services.vault.seal(randomText(secretLength), purpose(id, 'app'))
  await context.db
    .insertInto('shopware_apps')
    .values({ shop_id: id, name: appNameFor(slug), app_secret: secret, created_at: context.now })
    .onConflict((conflict) => conflict.column('shop_id').doNothing())
    .execute()
  return context.db.selectFrom('shopware_apps').where('shop_id', '=', id).selectAll().executeTakeFirstOrThrow()
}

export function openAppSecret(context: Context, app: AppRow): string {
  return context.services.vault.open(app.app_secret, purpose(app.shop_id, 'app'))
}

/** Undefined while no Shopware is connected. */
export function openConnection(context: Context, app: AppRow): Connection | undefined {
  if (app.connection === null || app.shop_url === null) return undefined
  const text = context.services.vault.open(app.connection, purpose(app.shop_id, app.shop_url))
  return JSON.parse(text) as Connection // sealed below only
}

/** The secrets that webhooks may be signed with now. */
export function openSecrets(context: Context, app: AppRow): string[] {
  const connection = openConnection(context, app)
  if (connection === undefined) return []
  const isPreviousValid = app.previous_until !== null && app.previous_until > context.now
  const previous =
    isPreviousValid && app.previous_secret
      ? [context.services.vault.open(app.previous_secret, purpose(app.shop_id, 'previous'))]
      : []
  return [connection.secret, ...previous]
}

export function openPendingSecret(context: Context, app: AppRow): string | undefined {
  if (app.pending_secret === null || app.pending_until === null || app.pending_until <= context.now) return undefined
  return context.services.vault.open(app.pending_secret, purpose(app.shop_id, 'pending'))
}

/** Whose Admin API is called; undefined while no Shopware is connected. */
export async function findAccount(context: Context, shopId: string): Promise<ShopwareAccount | undefined> {
  const app = await findApp(context, shopId)
  const connection = app && openConnection(context, app)
  if (app?.shop_url == null || connection === undefined) return undefined
  return { shopId, shopUrl: app.shop_url, clientId: connection.clientId, clientSecret: connection.clientSecret }
}

export interface PendingRegistration {
  shopwareId: string
  shopUrl: string
  secret: string
  until: Date
  sentAt: Date
}

/** Stores a registration until it is confirmed, replacing an earlier one. False if it is not newer than the last one. */
export async function startRegistration(
  context: Context,
  { shop_id: shopId, app_secret: appSecret }: AppRow,
  pending: PendingRegistration,
): Promise<boolean> {
  const updated = await context.db
    .updateTable('shopware_apps')
    .set({
      pending_shopware_id: pending.shopwareId,
      pending_shop_url: pending.shopUrl,
      pending_secret: context.services.vault.seal(pending.secret, purpose(shopId, 'pending')),
      pending_until: pending.until,
      registered_at: pending.sentAt,
    })
    .where('shop_id', '=', shopId)
    .where('app_secret', '=', appSecret)
    .where((where) => where.or([where('registered_at', 'is', null), where('registered_at', '<', pending.sentAt)]))
    .returning('shop_id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Makes the pending registration the connection. False if it was used or replaced meanwhile. */
export async function confirmRegistration(
  context: Context,
  app: AppRow & { pending_shop_url: string; pending_secret: Buffer },
  connection: Connection,
  details: { shopwareVersion: string | undefined; previousUntil: Date },
): Promise<boolean> {
  const { vault } = context.services
  const before = openConnection(context, app)
  const updated = await context.db
    .updateTable('shopware_apps')
    .set({
      shopware_id: app.pending_shopware_id,
      shop_url: app.pending_shop_url,
      shopware_version: details.shopwareVersion ?? null,
      connection: vault.seal(JSON.stringify(connection), purpose(app.shop_id, app.pending_shop_url)),
      connected_at: context.now,
      previous_secret: before ? vault.seal(before.secret, purpose(app.shop_id, 'previous')) : null,
      previous_until: before ? details.previousUntil : null,
      ...noPending,
    })
    .where('shop_id', '=', app.shop_id)
    .where('pending_secret', '=', app.pending_secret)
    .returning('shop_id')
    .executeTakeFirst()
  return updated !== undefined
}

const noPending = { pending_shopware_id: null, pending_shop_url: null, pending_secret: null, pending_until: null }

/** The merchant has removed the app from Shopware. Its own secret stays, so that it can be installed again. */
export async function disconnect(context: Context, shopId: string): Promise<void> {
  await context.db
    .updateTable('shopware_apps')
    .set({
      shopware_id: null,
      shop_url: null,
      shopware_version: null,
      connection: null,
      connected_at: null,
      previous_secret: null,
      previous_until: null,
      ...noPending,
    })
    .where('shop_id', '=', shopId)
    .execute()
}

/** With its secret, so that no file that was downloaded before can register again. */
export async function deleteApp(context: Context, shopId: string): Promise<void> {
  await context.db.deleteFrom('shopware_apps').where('shop_id', '=', shopId).execute()
}

/** Binds what is sealed to its row, and credentials to the address that they may be sent to. */
function purpose(shopId: string, use: string): string {
  return `${shopId}:shopware:${use}`
}
