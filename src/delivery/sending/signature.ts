import type { Context } from '../../platform/foundation/context.ts'
import { HmacKey } from '../../platform/foundation/hmac-key.ts'
import type { Endpoint } from '../queue/delivery.ts'

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** The prefix of our own headers' names. */
    readonly brand: string
  }
}

/** The headers of every webhook, for any receiver. */
export const plainHeaders = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'Doorstep',
}

/** The headers that prove who sends: ours, and those of Standard Webhooks. */
export function signatureHeaders(
  brand: string,
  /** Newest first; after a rotation the former one signs too, until receivers have switched. */
  keys: HmacKey[],
  message: { id: string; timestamp: number; body: Uint8Array },
): Record<string, string> {
  const { id, timestamp, body } = message
  let ours = `t=${timestamp}`
  let standard = ''
  for (const key of keys) {
    ours += `,v1=${key.sign(`${timestamp}.`, body, 'hex')}`
    standard += `${standard === '' ? '' : ' '}v1,${key.sign(`${id}.${timestamp}.`, body, 'base64')}`
  }
  return {
    [`${brand}-Signature`]: ours,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard,
  }
}

/** The headers for a receiver that shares no secret with us. */
export function unsignedHeaders({ id, timestamp }: { id: string; timestamp: number }): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
}

/** The seconds since 1970 that an attempt is signed with. */
export function timestampOf(startedAt: Date): number {
  return Math.floor(startedAt.getTime() / 1_000)
}

/** The keys that sign deliveries to an endpoint at this time, newest first. */
export function openKeys(
  context: Pick<Context, 'services'>,
  endpoint: Pick<Endpoint, 'secret' | 'formerSecret' | 'formerSecretUntil'> & { shopId: string; id: string },
  at: Date,
): HmacKey[] {
  const { shopId, id, secret, formerSecret, formerSecretUntil } = endpoint
  const open = (sealed: Buffer) => new HmacKey(context.services.vault.open(sealed, secretPurpose(shopId, id)))
  const isFormerValid = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > at
  return [open(secret), ...(isFormerValid ? [open(formerSecret)] : [])]
}

/** The purpose that an endpoint's secret is sealed for; no other opens it. */
export function secretPurpose(shopId: string, endpointId: string): string {
  return `${shopId}:webhook:${endpointId}`
}
