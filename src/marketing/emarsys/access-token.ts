import { minuteMs, secondMs } from '../../foundation/clock.ts'
import { outcomeOf } from '../answers.ts'
import type { Account, Call, CallAnswer, Outcome } from '../integration.ts'
import { hideSecrets } from '../secrets.ts'

export type Failed = Exclude<Outcome, { result: 'delivered' }>

/** The access tokens of all shops, each kept until shortly before it expires. */
export interface AccessTokens {
  get(call: Call, account: Account): Promise<{ token: string } | Failed>
  /** Drops a token that was turned down; one that another request has renewed meanwhile stays. */
  forget(shopId: string, token: string): void
}

/** A request that starts with the token must also end with it. */
const marginMs = minuteMs

interface Kept {
  /** A shop that gets other credentials must not go on with a token of the old ones. */
  basic: string
  token: string
  usableUntil: number
}

export function createAccessTokens(tokenUrl: string, now: () => number): AccessTokens {
  const kept = new Map<string, Kept>()
  const pending = new Map<string, Promise<{ token: string } | Failed>>()

  async function fetchToken(call: Call, account: Account, basic: string): Promise<{ token: string } | Failed> {
    const answer = await hideSecrets(
      call,
      account.credentials,
    )({
      method: 'POST',
      url: tokenUrl,
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
    })
    if (answer.status < 200 || answer.status >= 300) return refusalOf(answer)
    const granted = readGrant(answer.body)
    // The body may hold half a token: it is not repeated.
    if (granted === undefined) return { result: 'failed', status: answer.status, body: '', key: 'bad_gateway' }
    kept.set(account.shopId, { basic, token: granted.token, usableUntil: now() + granted.lifetimeMs - marginMs })
    return { token: granted.token }
  }

  return {
    async get(call, account) {
      const basic = basicOf(account)
      if (basic === undefined) return { result: 'refused', status: 0, body: '', key: 'partner_key_not_found' }
      const found = kept.get(account.shopId)
      if (found?.basic === basic && now() < found.usableUntil) return { token: found.token }
      // Events that arrive together ask for one token together.
      const key = `${account.shopId} ${basic}`
      const running = pending.get(key) ?? fetchToken(call, account, basic).finally(() => pending.delete(key))
      pending.set(key, running)
      return running
    },
    forget(shopId, token) {
      if (kept.get(shopId)?.token === token) kept.delete(shopId)
    },
  }
}

/** RFC 6749 lets a server refuse an unknown client with 400 as well as with 401. */
function refusalOf(answer: CallAnswer): Failed {
  const { status, body } = answer
  if (status === 400) return { result: 'refused', status, body, key: 'partner_key_missing_permissions' }
  const outcome = outcomeOf(answer)
  return outcome.result === 'delivered' ? { result: 'failed', status, body: '', key: 'bad_gateway' } : outcome
}

function basicOf({ credentials }: Account): string | undefined {
  if (!('client_id' in credentials) || credentials.client_secret === null) return undefined
  return Buffer.from(`${credentials.client_id}:${credentials.client_secret}`).toString('base64')
}

function readGrant(body: string): { token: string; lifetimeMs: number } | undefined {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(body)
    if (typeof token !== 'string' || token === '' || !(Number(seconds) > 0)) return undefined
    return { token, lifetimeMs: Number(seconds) * secondMs }
  } catch {
    return undefined
  }
}
