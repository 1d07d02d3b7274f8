import type { Call } from './call.ts'

/**
 * The call, with the secrets removed from the response: some systems repeat the key in an error, and responses are
 * stored where people read them.
 */
export function redactSecrets(call: Call, secrets: readonly string[]): Call {
  const forms = new Set(
    secrets
      // Shorter ones occur in ordinary text, and the response would be unreadable.
      .filter((secret) => secret.length >= 4)
      .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
  )
  // The longest first: a secret may be part of another one.
  const ordered = [...forms].sort((one, other) => other.length - one.length)
  return async (request) => {
    const response = await call(request)
    return { ...response, body: ordered.reduce((text, secret) => text.replaceAll(secret, '***'), response.body) }
  }
}

/** Name and password, or a client's id and secret, as HTTP Basic encodes them. */
export function basicOf(name: string, password: string): string {
  return Buffer.from(`${name}:${password}`).toString('base64')
}
