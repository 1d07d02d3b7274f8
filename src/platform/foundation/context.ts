import type { Selectable } from 'kysely'
import { mayActAs, type Principal, type Role, roleIn } from './roles.ts'
import type { Services } from './services.ts'
import type { Tables } from './tables.ts'
import type { Span } from './tracing.ts'
import type { CommitScope } from './transaction.ts'

/** Everything an operation may use. It comes first in every call, and `now` is the same for the whole request. */
export interface Context extends CommitScope {
  now: Date
  principal: Principal
  /** The Accept-Language header, as it was sent. */
  acceptLanguage: string | undefined
  services: Services
  log: Log
  /** Present while a request is handled: who sent it. */
  client?: Client
  /** Present while an automation acts: the automations that led here, first one first. Events published meanwhile record it. */
  causedBy?: readonly string[]
  /** True while the past is recorded, such as orders from before the shop was connected: nothing is announced. */
  isSilent?: boolean
  /** True if `db` is a standby: what is read may be seconds old, and is not cached. */
  isFromReplica?: boolean
  /** Present while this work is traced: the span it is part of. */
  span?: Span | undefined
}

export interface ShopContext extends Context {
  shop: ShopRecord
}

/** The other end of a request's connection. */
export interface Client {
  /** Its IP address; behind a trusted proxy, the one that the proxy names. */
  address: string
  userAgent: string
  /** Whether the browser reached us over HTTPS. */
  isSecure: boolean
  /** Whether a browser says that a page of another site sent the request. */
  isForeign: boolean
  /** Acts if the connection ends before the returned function is called. */
  whenGone(act: () => void): () => void
}

/** Whether the caller has this role in the shop, or a higher one. */
export function mayInShop({ principal, shop }: ShopContext, needed: Role): boolean {
  return mayActAs(roleIn(principal, shop.id), needed)
}

/** A shop's whole row; it comes from a cache. */
export type ShopRecord = Selectable<Tables['shops']>

/** The fields of a shop that texts and replies need. */
export type ShopIdentity = Pick<ShopRecord, 'id' | 'slug' | 'name' | 'language' | 'currency'>

export interface Log {
  info(detail: object, message: string): void
  warn(detail: object, message: string): void
  error(detail: object, message: string): void
}
