import type { CallResponse } from './call.ts'
import { minuteMs, secondMs } from './clock.ts'
import { readObject } from './read-json.ts'

/** Access tokens by their owner, each used until shortly before it expires. */
export interface AccessTokens<Failure> {
  /** The owner's token, or a new one by `grant`. Requests at the same time share one grant. */
  get(owner: TokenOwner, grant: () => Promise<Grant | Failure>): Promise<{ token: string } | Failure>
  /** Drops a token that was rejected, unless another request has renewed it meanwhile. */
  forget(ownerId: string, token: string): void
}

export interface TokenOwner {
  id: string
  /** The credentials that the token is granted for: once they change, a token of the old ones must not be used. */
  credentials: string
}

export interface Grant {
  token: string
  lifetimeMs: number
}

/** A request that starts with the token must also end with it. */
const marginMs = minuteMs

export function createAccessTokens<Failure extends { result: string }>(now: () => number): AccessTokens<Failure> {
  const tokens = new Map<string, { credentials: string; token: string; usableUntil: number }>()
  const pending = new Map<string, Promise<{ token: string } | Failure>>()

  async function renew({ id, credentials }: TokenOwner, grant: () => Promise<Grant | Failure>) {
    const granted = await grant()
    if ('result' in granted) return granted
    tokens.set(id, { credentials, token: granted.token, usableUntil: now() + granted.lifetimeMs - marginMs })
    return { token: granted.token }
  }

  return {
    async get(owner, grant) {
      const found = tokens.get(owner.id)
      if (found?.credentials === owner.credentials && now() < found.usableUntil) return { token: found.token }
      const key = `${owner.id} ${owner.credentials}`
      const running = pending.get(key) ?? renew(owner, grant).finally(() => pending.delete(key))
      pending.set(key, running)
      return running
    },
    forget(ownerId, token) {
      if (tokens.get(ownerId)?.token === token) tokens.delete(ownerId)
    },
  }
}

/** Sends a request with the owner's token, and once more with a new one if that token is rejected. */
export async function sendWithToken<Failure extends { result: string }>(
  tokens: AccessTokens<Failure>,
  owner: TokenOwner,
  grant: () => Promise<Grant | Failure>,
  send: (token: string) => Promise<CallResponse>,
): Promise<CallResponse | Failure> {
  const first = await tokens.get(owner, grant)
  if ('result' in first) return first
  const response = await send(first.token)
  if (response.status !== 401) return response
  tokens.forget(owner.id, first.token)
  const second = await tokens.get(owner, grant)
  return 'result' in second ? second : send(second.token)
}

/** Reads the reply of a token endpoint, as in RFC 6749; some endpoints write the seconds as text. */
export function readGrant(body: string): Grant | undefined {
  const { access_token: token, expires_in: seconds } = readObject(body) ?? {}
  if (typeof token !== 'string' || token === '' || !(Number(seconds) > 0)) return undefined
  return { token, lifetimeMs: Number(seconds) * secondMs }
}
