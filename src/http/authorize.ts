import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Allowance } from '../platform/foundation/allowance.ts'
import type { Context, ShopContext, ShopRecord } from '../platform/foundation/context.ts'
import { ApiError, rateLimited } from '../platform/foundation/errors.ts'
import type { Operation } from '../platform/foundation/operation.ts'
import { anonymous, highestRole, mayActAs, type Principal, roleIn } from '../platform/foundation/roles.ts'
import { rejectIfPaused } from '../platform/store/paused-shops.ts'
import type { Authenticator } from './authenticate.ts'
import { basicHint } from './basic-credentials.ts'
import type { IncomingBodies } from './incoming-bodies.ts'
import { type PublicKeyCheck, readPublicKey } from './public-key.ts'
import { isFromOwnPage, RequestClient } from './request-origin.ts'
import { mayHaveLargeBody } from './unread-bodies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operationContext: Context
  }
}

export interface AuthorizeOptions {
  authenticator: Authenticator
  /** Everything of a context that is the same for all requests. */
  base: Pick<Context, 'db' | 'services'>
  /** Requests per minute per key; undefined: no limit. */
  allowance: Allowance | undefined
  publicKeys: PublicKeyCheck
}

/**
 * The caller first, then the shop, then the role: all before a byte of the body is read. A public key belongs to a shop,
 * which is found first.
 */
export function createAuthorization(operation: Operation, options: AuthorizeOptions) {
  const { authenticator, base, allowance, publicKeys } = options
  return async (request: FastifyRequest): Promise<void> => {
    const now = base.services.clock.now()
    const { slug = '' } = request.params as { slug?: string } // by the names in the route
    const publicKey = readPublicKey(operation, request)
    const principal = publicKey === undefined ? await findCaller(request, now) : anonymous
    const shop = operation.isShopScoped ? await authenticator.shopOf(slug) : undefined
    if (publicKey === undefined) checkRole(operation, principal, shop)
    else if (shop) await publicKeys.admit(shop, publicKey, request.ip ?? '', now)
    const context: Context & Partial<ShopContext> = {
      db: base.db,
      services: base.services,
      now,
      principal,
      acceptLanguage: request.headers['accept-language'],
      log: request.log,
      client: new RequestClient(request, base.services.publicUrl),
      span: request.span,
    }
    if (shop) context.shop = shop
    request.operationContext = context
    await rejectWhilePaused(operation, context)
  }

  async function findCaller(request: FastifyRequest, now: Date): Promise<Principal> {
    const found = operation.readsAuthorization ? undefined : await authenticator.principalOf(request, now)
    if (found === undefined && operation.needs !== 'nobody') throw notSignedIn(request)
    const principal = found ?? anonymous
    if (allowance && operation.needs !== 'nobody') spend(allowance, principal.keyId)
    return principal
  }
}

/** Rejects writes to a paused shop. */
export async function rejectWhilePaused(operation: Operation, context: Context & Partial<ShopContext>): Promise<void> {
  if (context.shop && !operation.worksWhilePaused) await rejectIfPaused(context, context.shop)
}

/**
 * For callers without a key: checks whether they could prove who they are before their large body is read. A small one is
 * read first, because it mostly has arrived with its head.
 */
export function createAnonymousCheck(operation: Operation, bodies: IncomingBodies) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const context: Context & Partial<ShopContext> = request.operationContext
    const { principal, shop } = context
    if (principal !== anonymous) return
    const { params, headers } = request
    if (shop === undefined || operation.expects === undefined || !mayHaveLargeBody(request)) {
      bodies.admit(request, reply, { pool: 'strangers' })
      return
    }
    await operation.expects({ ...context, shop }, { path: params as Record<string, string>, headers }) // by the names in its route
    bodies.admit(request, reply, { pool: 'signed', shop: shop.id })
  }
}

/** To a page of our own it means that its session has ended; any other client has sent no credentials. */
function notSignedIn(request: FastifyRequest): ApiError {
  return isFromOwnPage(request)
    ? new ApiError('invalid_merchant_or_key', 'Sign in: there is no session, or it has ended.')
    : new ApiError('invalid_merchant_or_key', basicHint, { status: 400 })
}

function checkRole({ needs }: Operation, principal: Principal, shop: ShopRecord | undefined): void {
  if (needs === 'nobody' || needs === 'credentials') return
  const role = shop ? roleIn(principal, shop.id) : highestRole(principal)
  if (mayActAs(role, needs)) return
  const where = shop === undefined ? '' : ` in the shop "${shop.slug}"`
  throw new ApiError('insufficient_rights', `This needs the role ${needs}${where}.`)
}

/** Counts a request of the key; rejects it if the key has used up its requests. */
export function spend(allowance: Allowance, keyId: string): void {
  const waitSeconds = allowance.waitSeconds(keyId)
  if (waitSeconds > 0) {
    throw rateLimited('This key has used its requests for now.', waitSeconds)
  }
  allowance.use(keyId)
}
