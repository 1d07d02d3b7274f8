import { hmacSha256, isSame } from '../../../platform/foundation/crypto.ts'
import { invalid } from '../../../platform/foundation/errors.ts'
import type { SignedMessage } from '../../../platform/foundation/operation.ts'
import { fieldsOf, header, readObject, requireFields, textOf, unixInstant } from '../read-fields.ts'

/** Shopware's request when an app is installed or registered again. */
export interface Registration {
  shopwareId: string
  /** Unchanged: our proof is computed over exactly this text. */
  signedUrl: string
  shopUrl: string
  sentAt: Date
}

/** The Admin API credentials that the confirmation adds. */
export interface Confirmation {
  shopwareId: string
  shopUrl: string
  clientId: string
  clientSecret: string
  sentAt: Date | undefined
}

export const appSignature = 'shopware-app-signature'
export const shopSignature = 'shopware-shop-signature'
/** Only present if an app is registered again: signed with the previous secret. */
export const previousSignature = 'shopware-shop-signature-previous'

/**
 * Whether the query string carries this signature. Shopware signs the string that it sends; a proxy may have re-encoded
 * it, so the decoded form is accepted too.
 */
export function isSignedQuery({ headers, queryString = '' }: SignedMessage, name: string, secret: string): boolean {
  const signature = header(headers, name).toLowerCase()
  const decoded = [...new URLSearchParams(queryString)].map(([field, value]) => `${field}=${value}`).join('&')
  return [queryString, decoded].some((text) => isSame(signature, hexHmac(secret, text)))
}

export function isSignedBody({ headers, bytes }: SignedMessage, name: string, secret: string): boolean {
  return isSame(header(headers, name).toLowerCase(), hexHmac(secret, bytes))
}

/** Proves to Shopware that we have the app's secret. */
export function proofOf(app: { name: string; secret: string }, { shopwareId, signedUrl }: Registration): string {
  return hexHmac(app.secret, shopwareId + signedUrl + app.name)
}

/** Reads a registration whose signature has been checked. */
export function readRegistration({ queryString = '' }: SignedMessage): Registration {
  const query = new URLSearchParams(queryString)
  const signedUrl = query.get('shop-url') ?? ''
  const shopUrl = readShopUrl(signedUrl)
  const shopwareId = query.get('shop-id') ?? ''
  const sentAt = unixInstant(query.get('timestamp') ?? undefined)
  if (!/^[\w-]{1,64}$/.test(shopwareId)) throw invalid(['query', 'shop-id'], 'must be the id of a Shopware')
  if (shopUrl === undefined) throw invalid(['query', 'shop-url'], 'must be the http or https address of a Shopware')
  if (sentAt === undefined) throw invalid(['query', 'timestamp'], 'must be a time in seconds')
  return { shopwareId, signedUrl, shopUrl, sentAt }
}

/** Reads a confirmation whose signature has been checked. */
export function readConfirmation({ bytes }: SignedMessage): Confirmation {
  const body = readObject(bytes)
  const clientId = textOf(body.apiKey, 255)
  const clientSecret = textOf(body.secretKey, 255)
  const shopwareId = textOf(body.shopId, 64)
  requireFields([
    { loc: ['apiKey'], value: clientId },
    { loc: ['secretKey'], value: clientSecret },
    { loc: ['shopId'], value: shopwareId },
  ])
  return {
    shopwareId: shopwareId ?? '',
    shopUrl: readShopUrl(textOf(body.shopUrl, maxUrlLength) ?? '') ?? '',
    clientId: clientId ?? '',
    clientSecret: clientSecret ?? '',
    sentAt: unixInstant(body.timestamp),
  }
}

const maxUrlLength = 1_024

/** The URL without what may differ between messages: trailing slashes, and upper case in the host. */
function readShopUrl(text: string): string | undefined {
  if (text.length > maxUrlLength || !URL.canParse(text)) return undefined
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  if (username !== '' || password !== '' || search !== '' || hash !== '') return undefined
  const folders = pathname.split('/').filter((folder) => folder !== '')
  return [origin, ...folders].join('/')
}

function hexHmac(secret: string, text: string | Uint8Array): string {
  return hmacSha256(secret, text).toString('hex')
}

/** The URL of the sending Shopware; undefined if the message has none. */
export function sourceUrlOf({ bytes }: SignedMessage): string | undefined {
  const { url } = fieldsOf(readObject(bytes).source)
  return typeof url === 'string' ? readShopUrl(url) : undefined
}
