import { randomBytes } from 'node:crypto'
import { networkOf } from '../../platform/foundation/client-network.ts'
import { after } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
import { newId } from '../../platform/foundation/ids.ts'
import type { Principal } from '../../platform/foundation/roles.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { maxAgeMs, sessionCookie } from './cookie.ts'
import { deleteOldestSessions, deleteSession, insertSession, type SessionOwner } from './store.ts'

/** More sessions than one person has devices. With one more, the oldest ends. */
const maxSessions = 50
const maxUserAgentLength = 256

export interface StartedSession {
  id: string
  /** The Set-Cookie header. */
  cookie: string
}

/**
 * Starts a session with a new token, whatever cookie the browser sent: nobody can choose the token of another. The session of
 * this request, if it has one, ends.
 */
export function startSession(context: Context, owner: SessionOwner): Promise<StartedSession> {
  return inTransaction(context, async (context) => {
    const { client, now, principal } = context
    const id = newId(now)
    const token = newToken()
    if (principal.sessionId !== undefined) await endSession(context, principal)
    await insertSession(context, owner, {
      id,
      token_hash: sha256(token),
      created_at: now,
      expires_at: after(now, maxAgeMs),
      user_agent: (client?.userAgent ?? '').slice(0, maxUserAgentLength),
      network: networkOf(client?.address ?? ''),
    })
    for (const ended of await deleteOldestSessions(context, owner, maxSessions)) await announceEnd(context, ended)
    return { id, cookie: sessionCookie(token, client?.isSecure ?? false) }
  })
}

/** Ends the session of this request, if it has one. */
export async function endSession(context: Context, principal: Principal): Promise<void> {
  if (principal.sessionId === undefined) return
  await deleteSession(context, ownerOf(principal), principal.sessionId)
  await announceEnd(context, principal.sessionId)
}

export async function announceEnd(context: Context, id: string): Promise<void> {
  await context.services.announce(context, { kind: 'session', id })
}

export function ownerOf({ kind, keyId }: Principal): SessionOwner {
  return { kind: kind === 'person' ? 'person' : 'key', id: keyId }
}

/** For cookies and links: 256 random bits. Only a digest is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}
