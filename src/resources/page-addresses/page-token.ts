import type { Context } from '../../foundation/context.ts'
import { hmacSha256, isSame } from '../../foundation/crypto.ts'

/** An order, with what its page's address is made from. Orders that are older than revoking have no nonce. */
export interface PageOrder {
  shopId: string
  orderId: string
  nonce: string | null
}

/** What a token claims to open. It opens nothing before `isGenuine` has seen the nonce of the order. */
export interface OpenedToken {
  shopId: string
  orderId: string
  proof: Buffer
}

/** The address of an order's tracking page, for whoever is to give it to the customer. */
export function pageAddress(
  context: Pick<Context, 'services'>,
  shop: { id: string; slug: string },
  order: Omit<PageOrder, 'shopId'>,
): string {
  return `${context.services.publicUrl}${pagePath(context, shop, order)}`
}

export function pagePath(
  context: Pick<Context, 'services'>,
  shop: { id: string; slug: string },
  order: Omit<PageOrder, 'shopId'>,
): string {
  return `/track/${shop.slug}/${pageToken(context, { shopId: shop.id, ...order })}`
}

const idBytes = 16
const proofBytes = 16

/**
 * The unguessable part of the address of an order's tracking page: 64 characters. Both ids stand in it, so that the order
 * is found by its primary key. The proof is made from the order's random nonce, which the store keeps, and from a key
 * that it does not: a copy of the store gives nobody a page, and another nonce ends every address given out before.
 */
export function pageToken(context: Pick<Context, 'services'>, { shopId, orderId, nonce }: PageOrder): string {
  const ids = Buffer.concat([toBytes(shopId), toBytes(orderId)])
  return Buffer.concat([ids, proofOf(context, ids, nonce)]).toString('base64url')
}

/** Undefined for what cannot be a token. */
export function readPageToken(token: string): OpenedToken | undefined {
  if (!/^[A-Za-z0-9_-]{64}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  return {
    shopId: toUuid(bytes.subarray(0, idBytes)),
    orderId: toUuid(bytes.subarray(idBytes, 2 * idBytes)),
    proof: bytes.subarray(2 * idBytes),
  }
}

/** Whether the token is the one of the order, which has this nonce now. */
export function isGenuine(context: Pick<Context, 'services'>, claim: OpenedToken, nonce: string | null): boolean {
  const ids = Buffer.concat([toBytes(claim.shopId), toBytes(claim.orderId)])
  return isSame(claim.proof, proofOf(context, ids, nonce))
}

function proofOf(context: Pick<Context, 'services'>, ids: Buffer, nonce: string | null): Buffer {
  const key = context.services.vault.derive('tracking pages')
  const made = nonce === null ? hmacSha256(key, ids) : hmacSha256(key, ids, toBytes(nonce))
  return made.subarray(0, proofBytes)
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
