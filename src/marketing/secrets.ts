import type { Call, Credentials } from './integration.ts'

/**
 * The call, with the secrets blotted out of what comes back: some systems repeat the key they were given in an error,
 * and answers are kept in the delivery log. Derived secrets, such as an access token, are named beside the credentials.
 */
export function hideSecrets(call: Call, credentials: Credentials, derived: string[] = []): Call {
  const secrets = [...secretsOf(credentials), ...derived].filter((secret) => secret.length >= 4)
  const forms = new Set(
    secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
  )
  // The longest first: a secret may be part of another one.
  const ordered = [...forms].sort((one, other) => other.length - one.length)
  return async (request) => {
    const answer = await call(request)
    return { ...answer, body: ordered.reduce((text, secret) => text.replaceAll(secret, '***'), answer.body) }
  }
}

function secretsOf(credentials: Credentials): string[] {
  if ('api_key' in credentials) return [credentials.api_key]
  if ('client_id' in credentials) {
    const { client_id, client_secret } = credentials
    return client_secret === null || client_secret === undefined
      ? []
      : [client_secret, base64(`${client_id}:${client_secret}`)]
  }
  return [credentials.password, base64(`${credentials.username}:${credentials.password}`)]
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
