import type { Call } from '../../platform/foundation/call.ts'
import { basicOf, redactSecrets } from '../../platform/foundation/secrets.ts'
import type { Credentials } from './integration.ts'

/**
 * The call with credentials redacted from replies, which are stored in the delivery log. Derived secrets, such as an
 * access token, are passed in addition.
 */
export function hideSecrets(call: Call, credentials: Credentials, derived: string[] = []): Call {
  return redactSecrets(call, [...secretsOf(credentials), ...derived])
}

function secretsOf(credentials: Credentials): string[] {
  // Of any other form, every field may be one.
  const texts = Object.values<unknown>({ ...credentials }).filter((value) => typeof value === 'string')
  if ('api_key' in credentials) return [credentials.api_key]
  if ('client_id' in credentials) {
    const { client_id, client_secret } = credentials
    return client_secret === null || client_secret === undefined
      ? []
      : [client_secret, basicOf(client_id, client_secret)]
  }
  if ('password' in credentials) return [credentials.password, basicOf(credentials.username, credentials.password)]
  return texts
}
