import { hmacSha256, isSame, type Vault } from '../../foundation/crypto.ts'
import type { Context } from '../../foundation/operation.ts'

/** The order that the token of a tracking page stands for. */
export interface PageOrder {
  shopId: string
  orderId: string
}

/** The address of an order's tracking page, for whoever is to give it to the customer. */
export function pageAddress(
  context: Pick<Context, 'services'>,
  shop: { id: string; slug: string },
  orderId: string,
): string {
  return `${context.services.publicUrl}${pagePath(context, shop, orderId)}`
}

export function pagePath(
  context: Pick<Context, 'services'>,
  shop: { id: string; slug: string },
  orderId: string,
): string {
  return `/track/${shop.slug}/${pageToken(context, { shopId: shop.id, orderId })}`
}

const idBytes = 16
const proofBytes = 16

/**
 * The unguessable part of the address of an order's tracking page: 64 characters, always the same for the order. Both ids
 * stand in it with a proof that only this installation can make, so that it opens without a table.
 */
export function pageToken(context: Pick<Context, 'services'>, { shopId, orderId }: PageOrder): string {
  const ids = Buffer.concat([toBytes(shopId), toBytes(orderId)])
  return Buffer.concat([ids, proofOf(context, ids)]).toString('base64url')
}

/** Undefined for what is no token of ours. */
export function openPageToken(context: Pick<Context, 'services'>, token: string): PageOrder | undefined {
  if (!/^[A-Za-z0-9_-]{64}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const ids = bytes.subarray(0, 2 * idBytes)
  if (!isSame(bytes.subarray(2 * idBytes), proofOf(context, ids))) return undefined
  return { shopId: toUuid(ids.subarray(0, idBytes)), orderId: toUuid(ids.subarray(idBytes)) }
}

function proofOf(context: Pick<Context, 'services'>, ids: Buffer): Buffer {
  return hmacSha256(keyOf(context.services.vault), ids).subarray(0, proofBytes)
}

const keys = new WeakMap<Vault, Buffer>()

/** Derived once: every notification names a page. */
function keyOf(vault: Vault): Buffer {
  const known = keys.get(vault) ?? vault.derive('tracking pages')
  keys.set(vault, known)
  return known
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
