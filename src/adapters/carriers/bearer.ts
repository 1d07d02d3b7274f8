import { createAccessTokens, readGrant, sendWithToken } from '../../platform/foundation/access-tokens.ts'
import type { Call, CallRequest, CallResponse } from '../../platform/foundation/call.ts'
import { systemClock } from '../../platform/foundation/clock.ts'
import { basicOf, redactSecrets } from '../../platform/foundation/secrets.ts'
import { noCredentials, tokenFailureOf } from './failures.ts'
import type { ProviderAccount, ProviderFailure } from './provider.ts'

export interface BearerOptions {
  provider: string
  /** The request for a token by the client's id and secret. */
  tokenRequest(clientId: string, clientSecret: string): CallRequest
  now?: (() => number) | undefined
}

/** Sends a request with the account's access token, and once more with a new token after a 401. */
export type CallWithToken = (
  call: Call,
  account: ProviderAccount,
  request: CallRequest,
) => Promise<CallResponse | ProviderFailure>

/** OAuth 2.0 client credentials, as the carriers' own APIs use them. */
export function createCallWithToken({ provider, tokenRequest, now }: BearerOptions): CallWithToken {
  const tokens = createAccessTokens<ProviderFailure>(now ?? (() => systemClock.now().getTime()))

  return async (call, { shopId, credentials }, request) => {
    const { client_id: id, client_secret: secret } = credentials
    if (!id || !secret) return noCredentials(provider, 'client_id and client_secret')
    const basic = basicOf(id, secret)
    const grant = async () => {
      const response = await redactSecrets(call, [secret, basic])(tokenRequest(id, secret))
      const isGranted = response.status >= 200 && response.status < 300
      return (isGranted ? readGrant(response.body) : undefined) ?? tokenFailureOf(provider, response)
    }
    return sendWithToken(tokens, { id: shopId, credentials: basic }, grant, (token) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` }
      return redactSecrets(call, [secret, basic, token])({ ...request, headers })
    })
  }
}
