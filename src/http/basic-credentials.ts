import { ApiError } from '../platform/foundation/errors.ts'

export const basicHint = 'Send HTTP Basic credentials: Authorization: Basic base64(username:api_key).'

/** The user name and the secret of a Basic Authorization header. */
export function readBasicCredentials(header: string): { username: string; secret: string } {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)\s*$/i.exec(header)?.[1]
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 1 || colon === decoded.length - 1 || decoded.includes('\0')) {
    throw new ApiError('invalid_merchant_or_key', basicHint, { status: 400 })
  }
  return { username: decoded.slice(0, colon), secret: decoded.slice(colon + 1) }
}

/**
 * The same credentials as a Basic header. Many clients of agents send nothing but a bearer token: it is `username:api_key`,
 * as it is or in base64. Any other header stays as it is.
 */
export function bearerToBasic(header: string): string {
  const token = /^bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (token === undefined) return header
  return `Basic ${token.includes(':') ? Buffer.from(token).toString('base64') : token}`
}
