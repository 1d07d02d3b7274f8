import { createAccessTokens, type Grant, readGrant } from '../../../platform/foundation/access-tokens.ts'
import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { basicOf } from '../../../platform/foundation/secrets.ts'
import type { Account, Outcome } from '../integration.ts'
import { outcomeOf } from '../response-outcome.ts'
import { hideSecrets } from '../secrets.ts'

export type Failed = Exclude<Outcome, { result: 'delivered' }>

/** The access tokens of all shops. */
export interface EmarsysTokens {
  get(call: Call, account: Account): Promise<{ token: string } | Failed>
  forget(shopId: string, token: string): void
}

export function createEmarsysTokens(tokenUrl: string, now: () => number): EmarsysTokens {
  const tokens = createAccessTokens<Failed>(now)

  async function grant(call: Call, account: Account, basic: string): Promise<Grant | Failed> {
    const response = await hideSecrets(
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
    if (response.status < 200 || response.status >= 300) return errorOf(response)
    // The body may contain part of a token, so it is not quoted.
    return readGrant(response.body) ?? { result: 'failed', status: response.status, body: '', key: 'bad_gateway' }
  }

  return {
    async get(call, account) {
      const { credentials } = account
      if (!('client_id' in credentials) || !credentials.client_secret) {
        return { result: 'rejected', status: 0, body: '', key: 'partner_key_not_found' }
      }
      const basic = basicOf(credentials.client_id, credentials.client_secret)
      return tokens.get({ id: account.shopId, credentials: basic }, () => grant(call, account, basic))
    },
    forget: tokens.forget,
  }
}

/** RFC 6749 allows 400 as well as 401 for an unknown client. */
function errorOf(response: CallResponse): Failed {
  const { status, body } = response
  if (status === 400) return { result: 'rejected', status, body, key: 'partner_key_missing_permissions' }
  const outcome = outcomeOf(response)
  return outcome.result === 'delivered' ? { result: 'failed', status, body: '', key: 'bad_gateway' } : outcome
}
