import type { Context, ShopContext, ShopRecord } from '../../platform/foundation/context.ts'
import { mayActAs, roleIn } from '../../platform/foundation/roles.ts'
import { tokenStart } from './page-token.ts'

/**
 * Whether the addresses of customers' pages are hidden from the caller: a viewer only reads, and with such an address
 * anyone files claims and withdraws as the customer. Customers themselves have no role.
 */
export function hidesPages({ principal, shop }: Context & Partial<Pick<ShopContext, 'shop'>>): boolean {
  const role = shop && roleIn(principal, shop.id)
  return role !== undefined && !mayActAs(role, 'editor')
}

/** Address at which a customer looks up an order of the shop; it replaces the address of the order's page. */
export function lookupAddress({ services }: Pick<Context, 'services'>, shop: Pick<ShopRecord, 'slug'>): string {
  return `${services.publicUrl}/track/${shop.slug}`
}

/** Whether a text contains the token of a page of the shop. */
export function hasPageToken(shop: Pick<ShopRecord, 'id'>, text: string): boolean {
  return text.includes(tokenStart(shop.id))
}

/** The text without the tokens of the shop's pages: their addresses then lead to the look-up page. */
export function withoutPageTokens(shop: Pick<ShopRecord, 'id'>, text: string): string {
  if (!hasPageToken(shop, text)) return text
  return text.replaceAll(pageTokens(shop.id), '')
}

export function pageTokens(shopId: string): RegExp {
  // All characters of base64url are literals in a pattern.
  return new RegExp(`/?${tokenStart(shopId)}[A-Za-z0-9_-]{44}`, 'g')
}
