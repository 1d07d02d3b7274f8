import type { FastifyRequest } from 'fastify'
import { sessionCache } from '../access/sessions/cache.ts'
import { maxIdleMs, readSessionCookie } from '../access/sessions/cookie.ts'
import { findSession, recordSessionUse, type StoredSession } from '../access/sessions/store.ts'
import type { Cache } from '../platform/foundation/caches.ts'
import type { Context } from '../platform/foundation/context.ts'
import { sha256 } from '../platform/foundation/crypto.ts'
import type { Principal } from '../platform/foundation/roles.ts'
import { isSecure, mayUseCookie } from './request-origin.ts'

/** Finds the caller that a session cookie stands for. */
export class SessionAuthenticator {
  readonly #base: Pick<Context, 'db' | 'services'>
  readonly #sessions: Cache<StoredSession>
  /** Since the last flush. */
  #lastUse = new Map<string, Date>()

  constructor(base: Pick<Context, 'db' | 'services'>) {
    this.#base = base
    this.#sessions = base.services.caches.open(sessionCache)
  }

  /** Undefined if the request has no cookie, if the cookie does not count here, or if its session has ended. */
  async find(request: FastifyRequest, now: Date): Promise<Principal | undefined> {
    if (request.headers.cookie === undefined) return undefined
    const { publicUrl } = this.#base.services
    const token = readSessionCookie(request.headers.cookie, isSecure(request, publicUrl))
    if (token === undefined || !mayUseCookie(request, publicUrl)) return undefined
    const session = await this.#load(token, now)
    if (session === undefined || this.#isOver(session, now)) return undefined
    this.#lastUse.set(session.id, now)
    return session.principal
  }

  /** Records when sessions were last used. */
  async flush(): Promise<void> {
    const used = this.#lastUse
    this.#lastUse = new Map()
    await recordSessionUse(this.#base, used)
  }

  async #load(token: string, now: Date): Promise<StoredSession | undefined> {
    const hash = sha256(token)
    const key = hash.toString('base64')
    const cached = this.#sessions.get(key)
    // One that seems idle here may have been used on another node.
    if (cached && !this.#isOver(cached, now)) return cached
    return this.#sessions.load({}, key, () => findSession(this.#base, hash))
  }

  #isOver({ id, lastUsedAt, expiresAt }: StoredSession, now: Date): boolean {
    const lastUse = this.#lastUse.get(id) ?? lastUsedAt
    return expiresAt <= now || now.getTime() - lastUse.getTime() >= maxIdleMs
  }
}
