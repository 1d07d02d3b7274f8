import { createHmac, type KeyObject } from 'node:crypto'

/** The headers that prove who sends: ours, and those of Standard Webhooks. */
export function signatureHeaders(
  brand: string,
  /** Newest first; after a rotation the former one signs too, until receivers have switched. */
  keys: KeyObject[],
  message: { id: string; timestamp: number; body: Uint8Array },
): Record<string, string> {
  const { id, timestamp, body } = message
  let ours = `t=${timestamp}`
  let standard = ''
  for (const key of keys) {
    ours += `,v1=${createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')}`
    const signed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    standard += `${standard === '' ? '' : ' '}v1,${signed}`
  }
  return {
    [`${brand}-Signature`]: ours,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard,
  }
}

/** What an endpoint's secret is sealed for; it cannot be opened for anything else. */
export function secretPurpose(shopId: string, endpointId: string): string {
  return `${shopId}:webhook:${endpointId}`
}
