import { hmacSha256 } from '../foundation/crypto.ts'

/** The headers that prove who sends: ours, and those of Standard Webhooks. */
export function signatureHeaders(
  brand: string,
  /** Newest first; after a rotation the former one signs too, until receivers have switched. */
  secrets: string[],
  message: { id: string; timestamp: number; body: Uint8Array },
): Record<string, string> {
  const { id, timestamp, body } = message
  let ours = `t=${timestamp}`
  let standard = ''
  for (const secret of secrets) {
    ours += `,v1=${hmacSha256(secret, `${timestamp}.`, body).toString('hex')}`
    standard += `${standard === '' ? '' : ' '}v1,${hmacSha256(secret, `${id}.${timestamp}.`, body).toString('base64')}`
  }
  return {
    [`${brand}-Signature`]: ours,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard,
  }
}

/** The secret as receivers of Standard Webhooks configure it. */
export function standardSecret(secret: string): string {
  return `whsec_${Buffer.from(secret, 'utf8').toString('base64')}`
}

/** What an endpoint's secret is sealed for; it cannot be opened for anything else. */
export function secretPurpose(shopId: string, endpointId: string): string {
  return `${shopId}:webhook:${endpointId}`
}
