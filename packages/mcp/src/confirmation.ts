import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The action that a person agrees to: exactly this, by this caller. */
export interface Action {
  caller: string
  shop: string
  tool: string
  arguments: Record<string, unknown>
}

/** How long a person may think about it. */
const validSeconds = 600

/** A signed token for an action that has not run yet. Nothing is stored: every process with the key can check it. */
export function issueConfirmation(key: Uint8Array, action: Action, now: Date): { token: string; expiresAt: Date } {
  const nonce = randomBytes(12).toString('base64url')
  const expires = Math.floor(now.getTime() / 1_000) + validSeconds
  return {
    token: `${nonce}.${expires}.${sign(key, action, nonce, expires).toString('base64url')}`,
    expiresAt: new Date(expires * 1_000),
  }
}

/** The name of the token, by which the API recognises a repeated request; undefined if it is not good for this action. */
export function checkConfirmation(key: Uint8Array, action: Action, token: string, now: Date): string | undefined {
  const [nonce = '', expiresText = '', signature = '', ...others] = token.split('.')
  const expires = Number(expiresText)
  if (others.length > 0 || !Number.isSafeInteger(expires) || expires * 1_000 <= now.getTime()) return undefined
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(key, action, nonce, expires)
  return given.length === expected.length && timingSafeEqual(given, expected) ? nonce : undefined
}

function sign(key: Uint8Array, action: Action, nonce: string, expires: number): Buffer {
  const { caller, shop, tool } = action
  const given = Object.entries(action.arguments)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return createHmac('sha256', key)
    .update(JSON.stringify([caller, shop, tool, given, nonce, expires]))
    .digest()
}
