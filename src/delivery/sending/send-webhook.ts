import type { Context } from '../../platform/foundation/context.ts'
import type { HmacKey } from '../../platform/foundation/hmac-key.ts'
import { readRetryAfter } from '../../platform/foundation/retry-after.ts'
import type { Span } from '../../platform/foundation/tracing.ts'
import { UnreadableSecret } from '../../platform/foundation/vault.ts'
import { OutgoingError } from '../../platform/outgoing/errors.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import { failed, type SendResult } from '../queue/attempt.ts'
import { type Delivery, type Endpoint, isAddress } from '../queue/delivery.ts'
import { endpointDeleted } from '../queue/failure-reason.ts'
import { attemptLimitMs } from '../queue/retry.ts'
import { openAddress } from '../queue/sealed-address.ts'
import { openHeaders, toHeaderRecord } from './custom-headers.ts'
import { maxLoggedBodyBytes, type Sender } from './sender.ts'
import { openKeys, plainHeaders, signatureHeaders, timestampOf, unsignedHeaders } from './signature.ts'
import { nameServer } from './trace-attempt.ts'

/** Sends to merchants' endpoints. Any 2xx in time is success; everything else is worth another attempt. */
export function createWebhookSender(outgoing: Outgoing, brand: string): Sender {
  return {
    send: (context, delivery, startedAt, span) => sendWebhook(context, outgoing, brand, delivery, startedAt, span),
  }
}

async function sendWebhook(
  context: Context,
  outgoing: Outgoing,
  brand: string,
  delivery: Delivery,
  startedAt: Date,
  span?: Span,
): Promise<SendResult> {
  const address = readAddress(context, brand, delivery, startedAt)
  // Worth another attempt: the operator puts the missing key back.
  if (address instanceof UnreadableSecret) return failed('retry', null, address.message)
  if (address === undefined) return failed('give up', null, endpointDeleted)
  if (span) {
    nameServer(span, String(address.url))
    address.headers.traceparent = span.traceparent
  }
  try {
    const { status, body, headers } = await outgoing.call({
      method: 'POST',
      url: address.url,
      headers: address.headers,
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
      retryAfterMs: readRetryAfter({ headers }, context.services.clock),
    }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return failed('retry', error.stage, error.message)
  }
}

function readAddress(...given: Parameters<typeof addressOf>): ReturnType<typeof addressOf> | UnreadableSecret {
  try {
    return addressOf(...given)
  } catch (error) {
    if (error instanceof UnreadableSecret) return error
    throw error
  }
}

/** Where a delivery goes, with the headers that prove who sends it. */
function addressOf(
  context: Context,
  brand: string,
  delivery: Delivery,
  startedAt: Date,
): { url: string | URL; headers: Record<string, string> } | undefined {
  const { id, endpoint, receiverId, body } = delivery
  const timestamp = timestampOf(startedAt)
  // An address that an automation names shares no secret with us, so nothing is signed.
  if (isAddress(receiverId))
    return { url: receiverId, headers: { ...plainHeaders, ...unsignedHeaders({ id, timestamp }) } }
  if (endpoint === null) return undefined
  const { url, keys, headers } = prepare(context, delivery, endpoint)
  // Not spread: Node 20 takes a twentieth of a delivery for that.
  return { url, headers: Object.assign({}, headers, signatureHeaders(brand, keys, { id, timestamp, body })) }
}

interface PreparedEndpoint {
  /** A text if it cannot be parsed: then the call fails. */
  url: string | URL
  keys: HmacKey[]
  /** Those of every webhook, and those that the merchant has added. */
  headers: Record<string, string>
}

/** By endpoint object: deliveries that were fetched together share it, and it is gone when they are. */
const preparedEndpoints = new WeakMap<Endpoint, PreparedEndpoint>()

function prepare(context: Context, delivery: Delivery, endpoint: Endpoint): PreparedEndpoint {
  const known = preparedEndpoints.get(endpoint)
  if (known) return known
  const sealed = { shopId: delivery.shopId, id: delivery.receiverId, ...endpoint }
  const url = openAddress(context, sealed)
  const prepared = {
    url: URL.canParse(url) ? new URL(url) : url,
    keys: openKeys(context, sealed, context.services.clock.now()),
    headers: { ...plainHeaders, ...toHeaderRecord(openHeaders(context, sealed)) },
  }
  preparedEndpoints.set(endpoint, prepared)
  return prepared
}
