import { after } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { sha256, sha256Hex } from '../../platform/foundation/crypto.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { principalName, roleIn } from '../../platform/foundation/roles.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { listShops } from '../../shops/shops/store.ts'
import { lockKey } from '../keys/store.ts'
import { minPasswordLength } from '../people/password-rules.ts'
import { findPerson } from '../people/store.ts'
import { endedCookie, maxAgeMs } from '../sessions/cookie.ts'
import { claimLink } from '../sessions/links-store.ts'
import { announceEnd, endSession, ownerOf, type StartedSession, startSession } from '../sessions/start-session.ts'
import { deleteSession, listSessions } from '../sessions/store.ts'
import { signInWithPassword } from './check-password.ts'
import { countNetwork, networkHere } from './limits.ts'
import { rejectForeign } from './reject-foreign.ts'
import { CurrentUser, SignedIn, SignIn, SignInOptions } from './schema.ts'

export const signIn = operation({
  name: 'signIn',
  summary: 'Sign in a browser',
  description:
    'With the user name and secret of an API key, with a personal account (`totp` is needed if it has a second factor: a 422 located there says so), or with the token of a sign-in link. Sets an HTTP-only cookie that later requests of our own pages are authenticated by. A session ends after 12 hours without a request, and after 30 days.',
  area: 'Sign-in',
  route: 'POST /v1/session',
  needs: 'nobody',
  body: SignIn,
  reply: SignedIn,
  errors: ['insufficient_rights'],
  audit: { none: 'Sessions are listed with the account.' },
  async handle(context, { body }) {
    rejectForeign(context)
    const { kind, name, session } = await startFor(context, body)
    const reply = {
      session_uuid: session.id,
      kind,
      name,
      expires_at: after(context.now, maxAgeMs).toISOString(),
    }
    return new ReplyWithHeaders(reply, { 'set-cookie': session.cookie })
  },
})

export const getCurrentUser = operation({
  name: 'getSession',
  summary: 'Who am I',
  description:
    'The caller, the shops it may see with its role in each, its sessions, and whether somebody else seems to know its password.',
  area: 'Sign-in',
  route: 'GET /v1/session',
  needs: 'credentials',
  reply: CurrentUser,
  async handle(context) {
    const { principal } = context
    const visible = principal.everywhere ? 'all' : [...principal.shops.keys()]
    const { items: shops } = await listShops(context, { page: 1, per_page: 100 }, visible)
    const sessions = await listSessions(context, ownerOf(principal), maxListed)
    const person = principal.kind === 'person' ? await findPerson(context, principal.keyId) : undefined
    const warnedAt = person?.password_warning_at
    return {
      kind: person ? ('person' as const) : ('key' as const),
      name: principalName(principal),
      username: principal.username,
      email: person?.email ?? null,
      everywhere: principal.everywhere ?? null,
      shops: shops.map(({ id, slug, name }) => ({ slug, name, role: roleIn(principal, id) ?? 'viewer' })),
      sessions: sessions.map((session) => ({
        uuid: session.id,
        created_at: session.created_at.toISOString(),
        last_used_at: session.last_used_at.toISOString(),
        expires_at: session.expires_at.toISOString(),
        user_agent: session.user_agent,
        network: session.network,
        is_current: session.id === principal.sessionId,
      })),
      session_uuid: principal.sessionId ?? null,
      two_factor: (person?.totp_confirmed_at ?? null) !== null,
      has_password: (person?.password ?? null) !== null,
      password_warning: warnedAt
        ? { at: warnedAt.toISOString(), network: person.password_warning_network ?? '' }
        : null,
    }
  },
})

export const getSignInOptions = operation({
  name: 'getSignInOptions',
  summary: 'How one can sign in',
  description:
    'For a sign-in page: whether there is single sign-on, and whether forgotten passwords can be reset by mail.',
  area: 'Sign-in',
  route: 'GET /v1/session/options',
  needs: 'nobody',
  reply: SignInOptions,
  async handle({ services: { defaultMailAccount, oidc } }) {
    return {
      oidc: oidc ? { name: oidc.name, start_url: '/auth/oidc/start' } : null,
      password_min_length: minPasswordLength,
      password_reset: defaultMailAccount !== undefined,
    }
  },
})

export const signOut = operation({
  name: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session of this request, on every node, and removes its cookie.',
  area: 'Sign-in',
  route: 'DELETE /v1/session',
  needs: 'credentials',
  reply: NullReply,
  audit: { none: 'Sessions are listed with the account.' },
  handle: (context) =>
    inTransaction(context, async (context) => {
      await endSession(context, context.principal)
      return new ReplyWithHeaders(null, { 'set-cookie': endedCookie(context.client?.isSecure ?? false) })
    }),
})

export const endOneSession = operation({
  name: 'endSession',
  summary: 'End one of my sessions',
  description: 'On another device, for example. It stops working at once, on every node.',
  area: 'Sign-in',
  route: 'DELETE /v1/session/{uuid}',
  needs: 'credentials',
  reply: NullReply,
  errors: ['session_not_found'],
  audit: { none: 'Sessions are listed with the account.' },
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      if (!(await deleteSession(context, ownerOf(context.principal), path.uuid))) {
        throw new ApiError('session_not_found', `You have no session ${path.uuid}.`)
      }
      await announceEnd(context, path.uuid)
      return null
    }),
})

/** More than a principal can have. */
const maxListed = 100

interface Started {
  kind: 'key' | 'person'
  name: string
  session: StartedSession
}

function startFor(context: Context, body: SignIn): Promise<Started> {
  const { username, api_key: secret, email, password, totp, sign_in_token: token } = body
  if (typeof username === 'string' && typeof secret === 'string') return startWithKey(context, username, secret)
  if (typeof email === 'string' && typeof password === 'string') {
    return startWithPassword(context, { email, password, totp: totp ?? undefined })
  }
  if (typeof token === 'string') return startWithLink(context, token)
  throw invalid(['body'], 'needs username and api_key, or email and password, or sign_in_token')
}

async function startWithKey(context: Context, username: string, secret: string): Promise<Started> {
  const given = { username, secret, digest: sha256Hex(`${username}:${secret}`) }
  const principal = await context.services.credentials.check(context, given, networkHere(context))
  return startOfKey(context, principal.keyId)
}

async function startWithPassword(
  context: Context,
  given: { email: string; password: string; totp: string | undefined },
): Promise<Started> {
  const { person, session } = await signInWithPassword(context, given)
  return { kind: 'person', name: person.name, session }
}

async function startWithLink(context: Context, token: string): Promise<Started> {
  await countNetwork(context)
  return inTransaction(context, async (context) => {
    const link = await claimLink(context, sha256(token), ['sign-in'])
    if (link?.key_id) return startOfKey(context, link.key_id)
    throw new ApiError('invalid_merchant_or_key', 'This link has expired or was used. Each works once.')
  })
}

function startOfKey(context: Context, keyId: string): Promise<Started> {
  return inTransaction(context, async (context) => {
    const key = await lockKey(context, keyId)
    const isExpired = key !== undefined && key.expiration > 0 && key.expiration * 1_000 <= context.now.getTime()
    if (key === undefined || isExpired) {
      throw new ApiError('invalid_merchant_or_key', 'This API key has expired or was revoked.')
    }
    const session = await startSession(context, { kind: 'key', id: keyId })
    return { kind: 'key', name: key.username, session }
  })
}
