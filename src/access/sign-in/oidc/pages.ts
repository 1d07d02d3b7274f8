import { parseCookie, stringifySetCookie } from 'cookie'
import { after, secondMs } from '../../../platform/foundation/clock.ts'
import type { Context } from '../../../platform/foundation/context.ts'
import { ApiError } from '../../../platform/foundation/errors.ts'
import { type PageResponse, page, redirect, type Site } from '../../../platform/foundation/page-route.ts'
import { StoreUnavailable } from '../../../platform/foundation/store-unavailable.ts'
import { giveBackAttempts } from '../../../platform/store/attempts.ts'
import { countNetwork, countStart } from '../limits.ts'
import { type OidcRejection, signInIdentity } from './account.ts'
import { maxSignInMs, type OidcChecks, type OidcClient } from './client.ts'

/** The two addresses of a sign-in through OIDC. Both only lead on: to the provider, and back to the dashboard. */
export function createSignInSite(): Site {
  return {
    pages: [startPage, callbackPage],
    errorPage: async (_context, _request, error) => ({
      status: error.status,
      headers: { ...error.headers, 'content-type': 'text/plain; charset=utf-8' },
      text: error.message,
    }),
  }
}

const callbackPath = '/auth/oidc/callback'

const startPage = page({
  name: 'startOidc',
  route: 'GET /auth/oidc/start',
  async handle(context, { query }) {
    const oidc = getOidc(context)
    const to = safeReturnAddress(query.to)
    try {
      await countStart(context)
      const { url, checks } = await oidc.begin(`${context.services.publicUrl}${callbackPath}`)
      return withCookies(redirect(url), [pendingCookie(context, checks, to)])
    } catch (err) {
      // Too many attempts.
      if (err instanceof ApiError) throw err
      if (err instanceof StoreUnavailable) return rejected(context, 'store-unavailable')
      context.log.error({ err }, 'the OIDC provider cannot be reached')
      return rejected(context, 'unavailable')
    }
  },
})

const callbackPage = page({
  name: 'finishOidc',
  route: `GET ${callbackPath}`,
  async handle(context, { query, headers }) {
    const oidc = getOidc(context)
    const pending = readPending(context, headers.cookie?.toString())
    if (pending === undefined) return rejected(context, 'expired')
    // The person cancelled, or the provider does not let them in.
    if (query.error !== undefined && query.state === pending.state) return rejected(context, 'denied')
    const address = new URL(`${context.services.publicUrl}${callbackPath}`)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value)
    try {
      const counted = await countNetwork(context)
      const outcome = await signInIdentity(context, oidc, await oidc.finish(address, pending))
      if ('rejection' in outcome) return rejected(context, outcome.rejection)
      // Not for a colleague: a whole office signs in from one network.
      await giveBackAttempts(context, counted)
      return withCookies(redirect(pending.to), [outcome.session.cookie, removedCookie(context)])
    } catch (err) {
      // Too many attempts.
      if (err instanceof ApiError) throw err
      context.log.warn({ err }, 'a sign-in through OIDC failed')
      // The provider's reply can be used only once, so the person has to start again in any case.
      return rejected(context, err instanceof StoreUnavailable ? 'store-unavailable' : 'failed')
    }
  },
})

function getOidc({ services: { oidc } }: Context): OidcClient {
  if (oidc) return oidc
  throw new ApiError('route_not_found', 'Nobody signs in through OIDC here: OIDC_ISSUER is not set.')
}

/** Back to the sign-in page, which explains the reason. */
function rejected(
  context: Context,
  reason: OidcRejection | 'unavailable' | 'store-unavailable' | 'expired' | 'denied' | 'failed',
): PageResponse {
  return withCookies(redirect(`/dashboard/sign-in?error=oidc-${reason}`), [removedCookie(context)])
}

function withCookies(response: PageResponse, cookies: string[]): PageResponse {
  return { ...response, headers: { ...response.headers, 'set-cookie': cookies } }
}

const home = '/dashboard'
const maxLength = 1_000

/** The page to open after a sign-in: one of the dashboard, or its first. No link of ours leads anywhere else. */
export function safeReturnAddress(given: string | undefined): string {
  if (given === undefined || given.length > maxLength || !given.startsWith(`${home}/`)) return home
  // As a browser reads it: `..`, backslashes, line breaks and all.
  const base = 'http://doorstep.invalid'
  if (!URL.canParse(given, base)) return home
  const { origin, pathname, search } = new URL(given, base)
  return origin === base && pathname.startsWith(`${home}/`) ? `${pathname}${search}` : home
}

/** A sign-in that has begun, kept while the browser is at the provider. */
interface PendingSignIn extends OidcChecks {
  /** The page to open afterwards. */
  to: string
  expiresMs: number
}

const purpose = 'pending OIDC sign-in'

/**
 * An encrypted cookie, so that strangers who only begin to sign in leave no rows behind, and so that a sign-in can be
 * finished only in the browser that began it.
 */
function pendingCookie(context: Context, checks: OidcChecks, to: string): string {
  const pending: PendingSignIn = { ...checks, to, expiresMs: after(context.now, maxSignInMs).getTime() }
  const sealed = context.services.vault.seal(JSON.stringify(pending), purpose)
  return setCookie(context, sealed.toString('base64url'), maxSignInMs / secondMs)
}

function removedCookie(context: Context): string {
  return setCookie(context, '', 0)
}

/** Undefined if there is none, or if it is too old, or not ours. */
function readPending(context: Context, cookies: string | undefined): PendingSignIn | undefined {
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
