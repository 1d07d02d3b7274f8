import type { Selectable } from 'kysely'
import { mayActAs, type Principal, type Role, roleIn } from './roles.ts'
import type { Services } from './services.ts'
import type { Tables } from './tables.ts'
import type { Span } from './tracing.ts'
import type { CommitScope } from './transaction.ts'

/** Everything an operation may use. It comes first in every call, and holds one instant for the whole request. */
export interface Context extends CommitScope {
  now: Date
  principal: Principal
  /** What the Accept-Language header asks for; `languageFor` decides. */
  acceptLanguage: string | undefined
  services: Services
  log: Log
  /** Present while an automation acts: those that led here, first one first. What is told meanwhile carries it on. */
  causedBy?: readonly string[]
  /** Present while this work is traced: what it is a part of. */
  span?: Span | undefined
}

export interface ShopContext extends Context {
  shop: ShopRecord
}

/** Whether the caller holds this role in the shop, or a higher one. */
export function mayInShop({ principal, shop }: ShopContext, needed: Role): boolean {
  return mayActAs(roleIn(principal, shop.id), needed)
}

/** What is known of a shop without asking the store: its whole record, kept while nobody announces a change. */
export type ShopRecord = Selectable<Tables['shops']>

/** A shop as far as texts and answers need it. */
export type ShopIdentity = Pick<ShopRecord, 'id' | 'slug' | 'name' | 'language' | 'currency'>

export interface Log {
  info(detail: object, message: string): void
  warn(detail: object, message: string): void
  error(detail: object, message: string): void
}
