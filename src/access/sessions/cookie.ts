import { parseCookie, stringifySetCookie } from 'cookie'
import { dayMs, secondMs } from '../../platform/foundation/clock.ts'

/**
 * A session that is not used for half a day ends, so that a browser left open on a shared computer is signed out by the next
 * morning. A session in daily use ends after 30 days: a stolen cookie is worth no more than that.
 */
export const maxIdleMs = dayMs / 2
export const maxAgeMs = 30 * dayMs

const name = 'doorstep_session'
/** 32 random bytes as base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** The token of the session cookie, if there is one. */
export function readSessionCookie(header: string | undefined, isSecure: boolean): string | undefined {
  if (header === undefined) return undefined
  const token = parseCookie(header)[cookieName(isSecure)]
  return token !== undefined && tokenPattern.test(token) ? token : undefined
}

/** The Set-Cookie header of a new session. No script can read it, and other sites' forms do not send it. */
export function sessionCookie(token: string, isSecure: boolean): string {
  return setCookie(token, maxAgeMs / secondMs, isSecure)
}

/** The Set-Cookie header that removes the cookie. */
export function endedCookie(isSecure: boolean): string {
  return setCookie('', 0, isSecure)
}

function setCookie(value: string, maxAge: number, secure: boolean): string {
  return stringifySetCookie({
    name: cookieName(secure),
    value,
    maxAge,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
  })
}

/** Over HTTPS browsers accept this prefix from the host itself only, not from a subdomain or over plain HTTP. */
function cookieName(isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}
