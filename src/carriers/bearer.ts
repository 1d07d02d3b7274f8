import { createAccessTokens, readGrant } from '../foundation/access-tokens.ts'
import type { Call, CallAnswer, CallRequest } from '../foundation/call.ts'
import { systemClock } from '../foundation/clock.ts'
import { basicOf, blotSecrets } from '../foundation/secrets.ts'
import { noCredentials, tokenFailureOf } from './failures.ts'
import type { ProviderAccount, ProviderFailure } from './provider.ts'

export interface BearerOptions {
  provider: string
  /** The request for a token by the client's id and secret. */
  tokenRequest(clientId: string, clientSecret: string): CallRequest
  now?: (() => number) | undefined
}

/** Sends a request with the account's access token, and once more with a new one where it is turned down. */
export type AskWithToken = (
  call: Call,
  account: ProviderAccount,
  request: CallRequest,
) => Promise<CallAnswer | ProviderFailure>

/** OAuth 2.0 by client credentials, as carriers' own systems have it. */
export function createAskWithToken({ provider, tokenRequest, now }: BearerOptions): AskWithToken {
  const tokens = createAccessTokens<ProviderFailure>(now ?? (() => systemClock.now().getTime()))

  async function askOnce(call: Call, { shopId, credentials }: ProviderAccount, request: CallRequest) {
    const { client_id: id, client_secret: secret } = credentials
    if (!id || !secret) return noCredentials(provider, 'client_id and client_secret')
    const basic = basicOf(id, secret)
    const access = await tokens.get({ id: shopId, credentials: basic }, async () => {
      const answer = await blotSecrets(call, [secret, basic])(tokenRequest(id, secret))
      const isGranted = answer.status >= 200 && answer.status < 300
      return (isGranted ? readGrant(answer.body) : undefined) ?? tokenFailureOf(provider, answer)
    })
    if ('result' in access) return access
    const headers = { ...request.headers, authorization: `Bearer ${access.token}` }
    const answer = await blotSecrets(call, [secret, basic, access.token])({ ...request, headers })
    return { answer, token: access.token }
  }

  return async (call, account, request) => {
    const first = await askOnce(call, account, request)
    if ('result' in first || first.answer.status !== 401) return 'result' in first ? first : first.answer
    tokens.forget(account.shopId, first.token)
    const second = await askOnce(call, account, request)
    return 'result' in second ? second : second.answer
  }
}
