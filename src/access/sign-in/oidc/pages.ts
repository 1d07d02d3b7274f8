import type { Context } from '../../../platform/foundation/context.ts'
import { ApiError } from '../../../platform/foundation/errors.ts'
import { type PageResponse, page, redirect, type Site } from '../../../platform/foundation/page-route.ts'
import { StoreUnavailable } from '../../../platform/foundation/store-unavailable.ts'
import { giveBackAttempts } from '../../../platform/store/attempts.ts'
import { countNetwork, countStart } from '../limits.ts'
import { type OidcRejection, signInIdentity } from './account.ts'
import type { OidcClient } from './client.ts'
import { safeReturnAddress } from './return-address.ts'
import { pendingCookie, readPending, removedCookie } from './state.ts'

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
      // What the provider has sent can be used once, so the person has to start again in any case.
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
