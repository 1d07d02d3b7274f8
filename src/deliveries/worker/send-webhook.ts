import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Context } from '../../foundation/context.ts'
import { readRetryAfter } from '../../foundation/retry-after.ts'
import type { Span } from '../../foundation/tracing.ts'
import { OutgoingError } from '../../outgoing/errors.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import { failed, type Outcome } from '../attempt.ts'
import { type Delivery, type Endpoint, isAddress } from '../delivery.ts'
import { attemptLimitMs } from '../retry.ts'
import { secretPurpose, signatureHeaders } from '../signature.ts'
import { maxLoggedBodyBytes, type Sender } from './sender.ts'
import { nameServer } from './trace-attempt.ts'

/** Sends to merchants' endpoints. Any 2xx in time is success; everything else is worth another attempt. */
export function createWebhookSender(outgoing: Outgoing, brand: string): Sender {
  return { send: (context, delivery, span) => sendWebhook(context, outgoing, brand, delivery, span) }
}

async function sendWebhook(
  context: Context,
  outgoing: Outgoing,
  brand: string,
  delivery: Delivery,
  span?: Span,
): Promise<Outcome> {
  const address = addressOf(context, brand, delivery)
  if (address === undefined) return failed('give up', null, 'the endpoint was deleted')
  if (span) {
    nameServer(span, String(address.url))
    address.headers.traceparent = span.traceparent
  }
  try {
    const { status, body, headers } = await outgoing.call({
      method: 'POST',
      url: address.url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Doorstep',
        ...address.headers,
      },
      body: delivery.body,
      limitMs: attemptLimitMs,
      maxBodyBytes: maxLoggedBodyBytes,
    })
    const isSuccess = status >= 200 && status < 300
    return {
      verdict: isSuccess ? 'delivered' : 'retry',
      statusCode: status,
      responseBody: body,
      stage: isSuccess ? null : 'status',
      error: isSuccess ? null : `returned ${status}`,
      retryAfterMs: readRetryAfter({ headers }, context.services.clock.now()),
    }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return failed('retry', error.stage, error.message)
  }
}

/** Where a delivery goes, with the headers that prove who sends it. */
function addressOf(
  context: Context,
  brand: string,
  delivery: Delivery,
): { url: string | URL; headers: Record<string, string> } | undefined {
  const { id, endpoint, target, body } = delivery
  const timestamp = Math.floor(context.services.clock.now().getTime() / 1_000)
  // An address that an automation names shares no secret with us, so nothing is signed.
  if (isAddress(target)) return { url: target, headers: { 'webhook-id': id, 'webhook-timestamp': String(timestamp) } }
  if (endpoint === null) return undefined
  const { url, keys } = prepare(context, delivery, endpoint)
  return { url, headers: signatureHeaders(brand, keys, { id, timestamp, body }) }
}

interface PreparedEndpoint {
  /** A text if it cannot be parsed: then the call fails. */
  url: string | URL
  keys: KeyObject[]
}

/** By endpoint object: deliveries that were claimed together share it, and it is gone when they are. */
const preparedEndpoints = new WeakMap<Endpoint, PreparedEndpoint>()

function prepare(context: Context, delivery: Delivery, endpoint: Endpoint): PreparedEndpoint {
  const known = preparedEndpoints.get(endpoint)
  if (known) return known
  const prepared = {
    url: URL.canParse(endpoint.url) ? new URL(endpoint.url) : endpoint.url,
    keys: openSecrets(context, delivery, endpoint).map((secret) => createSecretKey(secret, 'utf8')),
  }
  preparedEndpoints.set(endpoint, prepared)
  return prepared
}

function openSecrets(context: Context, delivery: Delivery, endpoint: Endpoint): string[] {
  const open = (sealed: Buffer) => context.services.vault.open(sealed, secretPurpose(delivery.shopId, delivery.target))
  const { formerSecret, formerSecretUntil } = endpoint
  const isFormerValid =
    formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > context.services.clock.now()
  return [open(endpoint.secret), ...(isFormerValid ? [open(formerSecret)] : [])]
}
