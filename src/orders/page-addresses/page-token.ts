import type { Context } from '../../platform/foundation/context.ts'
import { hmacSha256, isSame, sha256 } from '../../platform/foundation/crypto.ts'

/**
 * An order, with the values that its page's address is made from. Orders from before revocation existed have no nonce.
 */
export interface PageOrder {
  shopId: string
  orderId: string
  nonce: string | null
}

/** The contents of a token. It is not verified until `isGenuine` has checked it with the nonce of the order. */
export interface ParsedToken {
  shopId: string
  orderId: string
  proof: Buffer
}

/** The full address of an order's tracking page. */
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

const purpose = 'tracking pages'
const idBytes = 16
const proofBytes = 16

/**
 * The unguessable part of the address of an order's tracking page: 64 characters. It contains both ids, so that the
 * order is found by its primary key. The proof is made from the order's random nonce and a key that is not in the
 * store: a copy of the store opens no page, and a new nonce revokes every earlier address.
 */
export function pageToken(context: Pick<Context, 'services'>, { shopId, orderId, nonce }: PageOrder): string {
  const ids = Buffer.concat([toBytes(shopId), toBytes(orderId)])
  return Buffer.concat([ids, proofOf(context.services.signing.current(purpose), ids, nonce)]).toString('base64url')
}

/** The beginning of the tokens of all pages of a shop. */
export function tokenStart(shopId: string): string {
  // Three bytes are four characters; the last byte of the id shares one with what follows.
  return toBytes(shopId)
    .subarray(0, idBytes - 1)
    .toString('base64url')
}

/**
 * Hashes by which another installation recognises the addresses that we have given out for an order, and that still
 * open its page.
 */
export function proofHashes(context: Pick<Context, 'services'>, { shopId, orderId, nonce }: PageOrder): Buffer[] {
  const ids = Buffer.concat([toBytes(shopId), toBytes(orderId)])
  return context.services.signing.accepted(purpose).map((key) => sha256(proofOf(key, ids, nonce)))
}

/** Undefined if the text cannot be a token. */
export function parsePageToken(token: string): ParsedToken | undefined {
  if (!/^[A-Za-z0-9_-]{64}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  return {
    shopId: toUuid(bytes.subarray(0, idBytes)),
    orderId: toUuid(bytes.subarray(idBytes, 2 * idBytes)),
    proof: bytes.subarray(2 * idBytes),
  }
}

/** Whether the token matches the present nonce of its order. */
export function isGenuine(context: Pick<Context, 'services'>, token: ParsedToken, nonce: string | null): boolean {
  const ids = Buffer.concat([toBytes(token.shopId), toBytes(token.orderId)])
  const keys = context.services.signing.accepted(purpose)
  return keys.some((key) => isSame(token.proof, proofOf(key, ids, nonce)))
}

function proofOf(key: Buffer, ids: Buffer, nonce: string | null): Buffer {
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
