import type { WebhookEvent } from './events.ts'

/** The body exactly as it was received. Parsed and serialised again, it has another signature. */
export type WebhookBody = string | ArrayBuffer | Uint8Array

/** Of fetch (`request.headers`) or of Node (`request.headers`, too). */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How far the time of signing may be from now, in seconds, both ways. Default: 300. */
  toleranceSeconds?: number
  now?: Date
}

/**
 * - `no_secret`: none was given to verify with
 * - `signature_missing`: the headers have no signature
 * - `signature_malformed`: a header is not of the documented form
 * - `too_old`, `too_new`: it was signed at another time; a repeated old message, or a wrong clock
 * - `signature_wrong`: it was not signed with any of the secrets, or was changed since
 * - `body_malformed`: the signature is right, but the body is not an event
 */
export type WebhookErrorReason =
  | 'no_secret'
  | 'signature_missing'
  | 'signature_malformed'
  | 'too_old'
  | 'too_new'
  | 'signature_wrong'
  | 'body_malformed'

/** A message that is not from the service, with the reason. Respond with 400. */
export class WebhookError extends Error {
  readonly reason: WebhookErrorReason

  constructor(reason: WebhookErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WebhookError'
    this.reason = reason
  }
}

/**
 * The event of a message, if the service signed it with one of the secrets a moment ago; throws a WebhookError if not.
 * A message with an id needs the signature of Standard Webhooks, which covers the id; without one, the signature of the
 * service's own header is enough.
 */
export async function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  /** Of the endpoint. During a rotation: the new one and the former one. */
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = [secret].flat().filter((each) => each !== '')
  if (secrets.length === 0) throw new WebhookError('no_secret', 'Give the secret of the webhook endpoint.')
  const bytes = bytesOf(body)
  const proof = readProof(headers)
  checkTime(proof.timestamp, options)
  const signed = joined(new TextEncoder().encode(proof.prefix), bytes)
  if (!(await isSignedWithAny(secrets, proof.signatures, signed))) {
    throw new WebhookError(
      'signature_wrong',
      'The signature does not match. Use the secret of this endpoint and the body as it was received.',
    )
  }
  return parseEvent(bytes)
}

export interface SignOptions {
  /** Default: a random one. The same over all attempts to deliver a message. */
  id?: string
  /** Default: now. */
  timestamp?: Date
  /** The prefix of the service's own headers. Default: Service. */
  brand?: string
}

/** The headers with which the service would send this body, for tests of a receiver. */
export async function signWebhook(
  body: WebhookBody,
  /** The newest first. */
  secret: string | readonly string[],
  options: SignOptions = {},
): Promise<Record<string, string>> {
  const { id = crypto.randomUUID(), timestamp = new Date(), brand = 'Service' } = options
  const seconds = String(Math.floor(timestamp.getTime() / 1_000))
  const bytes = bytesOf(body)
  const sign = async (key: Key, prefix: string) =>
    new Uint8Array(await crypto.subtle.sign('HMAC', key, joined(new TextEncoder().encode(prefix), bytes)))
  const keys = await Promise.all([secret].flat().map(importKey))
  const own = await Promise.all(keys.map(async (key) => `v1=${toHex(await sign(key, `${seconds}.`))}`))
  const standard = await Promise.all(keys.map(async (key) => `v1,${toBase64(await sign(key, `${id}.${seconds}.`))}`))
  return {
    'content-type': 'application/json',
    [`${brand.toLowerCase()}-signature`]: [`t=${seconds}`, ...own].join(','),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
  }
}

/** The text to sign before the body, and the signatures that a message came with. */
interface Proof {
  timestamp: number
  prefix: string
  signatures: Uint8Array<ArrayBuffer>[]
}

/** The service sends two during a rotation; each that is read costs a pass over the body. */
const mostSignatures = 4

function readProof(headers: WebhookHeaders): Proof {
  const all = new Map(entriesOf(headers))
  const id = all.get('webhook-id')
  const standard = all.get('webhook-signature')
  // An id that is not signed could be changed to send a message twice.
  if (standard !== undefined || id !== undefined) return readStandard(id, all.get('webhook-timestamp'), standard)
  for (const [name, value] of all) {
    // Its name begins with the brand of the installation.
    if (name.endsWith('-signature') && value.startsWith('t=')) return readOwn(name, value)
  }
  throw new WebhookError('signature_missing', 'The headers have no signature: webhook-signature is missing.')
}

function readStandard(id: string | undefined, time: string | undefined, value: string | undefined): Proof {
  for (const [name, given] of Object.entries({ id, timestamp: time, signature: value })) {
    if (!given) throw new WebhookError('signature_missing', `The header webhook-${name} is missing.`)
  }
  const found = (value ?? '').split(' ').flatMap((each) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(each)?.[1] ?? [])
  const timestamp = readTimestamp('webhook-timestamp', time ?? '')
  return { timestamp, prefix: `${id}.${timestamp}.`, signatures: atMost('webhook-signature', found, fromBase64) }
}

function readOwn(name: string, value: string): Proof {
  const [time = '', ...rest] = value.split(',')
  const found = rest.flatMap((each) => /^v1=([0-9a-f]{64})$/.exec(each.trim())?.[1] ?? [])
  const timestamp = readTimestamp(name, time.slice('t='.length))
  return { timestamp, prefix: `${timestamp}.`, signatures: atMost(name, found, fromHex) }
}

function readTimestamp(name: string, text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) {
    throw new WebhookError('signature_malformed', `The header ${name} has no time in seconds since 1970.`)
  }
  return Number(text)
}

function atMost(name: string, found: string[], read: (text: string) => Uint8Array<ArrayBuffer>) {
  if (found.length > 0) return found.slice(0, mostSignatures).map(read)
  throw new WebhookError('signature_malformed', `The header ${name} has no signature of the version v1.`)
}

function checkTime(timestamp: number, { toleranceSeconds = 300, now = new Date() }: VerifyOptions): void {
  const age = Math.floor(now.getTime() / 1_000) - timestamp
  const hint = `more than ${toleranceSeconds} s. If it is new, check the clock of this machine.`
  if (Number.isNaN(age - toleranceSeconds)) throw new TypeError('The tolerance and the time now have to be numbers.')
  if (age > toleranceSeconds) throw new WebhookError('too_old', `The message was signed ${age} s ago, ${hint}`)
  if (-age > toleranceSeconds) throw new WebhookError('too_new', `The message was signed ${-age} s ahead, ${hint}`)
}

/** Web Crypto compares in constant time. */
async function isSignedWithAny(
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await importKey(secret)
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
    }
  }
  return false
}

type Key = Awaited<ReturnType<typeof importKey>>

function importKey(secret: string) {
  const key = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof event === 'object' && event !== null && 'source' in event && 'ref' in event) {
      return event as WebhookEvent // the service signed it
    }
  } catch (cause) {
    throw new WebhookError('body_malformed', 'The body is not JSON.', { cause })
  }
  throw new WebhookError('body_malformed', 'The body is not an event: it has no source and ref.')
}

function* entriesOf(headers: WebhookHeaders): Generator<[name: string, value: string]> {
  // Not `instanceof`: a framework may have a class of its own.
  const all = isIterable(headers) ? headers : Object.entries(headers)
  for (const [name, value] of all) {
    if (value !== undefined) yield [name.toLowerCase(), typeof value === 'string' ? value : value.join(',')]
  }
}

function isIterable(headers: WebhookHeaders): headers is Headers {
  return Symbol.iterator in headers
}

function bytesOf(body: WebhookBody): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError('The body has to be the text or the bytes that were received, not what they were parsed to.')
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
