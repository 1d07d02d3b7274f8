import { parseCookie, stringifySetCookie } from 'cookie'
import { after, secondMs } from '../../../platform/foundation/clock.ts'
import type { Context } from '../../../platform/foundation/context.ts'
import { maxSignInMs, type OidcChecks } from './client.ts'

/** What is kept while the browser is at the provider. */
interface PendingSignIn extends OidcChecks {
  /** Where to go afterwards. */
  to: string
  expiresMs: number
}

const purpose = 'pending OIDC sign-in'

/**
 * An encrypted cookie, so that strangers who only begin to sign in leave no rows behind, and so that a sign-in can be
 * finished only in the browser that began it.
 */
export function pendingCookie(context: Context, checks: OidcChecks, to: string): string {
  const pending: PendingSignIn = { ...checks, to, expiresMs: after(context.now, maxSignInMs).getTime() }
  const sealed = context.services.vault.seal(JSON.stringify(pending), purpose)
  return setCookie(context, sealed.toString('base64url'), maxSignInMs / secondMs)
}

export function removedCookie(context: Context): string {
  return setCookie(context, '', 0)
}

/** Undefined if there is none, or if it is too old, or not ours. */
export function readPending(context: Context, cookies: string | undefined): PendingSignIn | undefined {
  const sealed = cookies === undefined ? undefined : parseCookie(cookies)[cookieName(context)]
  if (sealed === undefined) return undefined
  try {
    const opened = context.services.vault.open(Buffer.from(sealed, 'base64url'), purpose)
    const pending = JSON.parse(opened) as PendingSignIn // sealed above
    return pending.expiresMs > context.now.getTime() ? pending : undefined
  } catch {
    return undefined
  }
}

function setCookie(context: Context, value: string, maxAge: number): string {
  return stringifySetCookie({
    name: cookieName(context),
    value,
    maxAge,
    path: '/',
    httpOnly: true,
    // The provider leads the browser back to us: with `strict` the cookie would be missing then.
    sameSite: 'lax',
    secure: context.client?.isSecure ?? false,
  })
}

function cookieName({ client }: Context): string {
  return client?.isSecure ? '__Host-doorstep_oidc' : 'doorstep_oidc'
}
