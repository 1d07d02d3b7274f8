import type { Context } from '../../platform/foundation/context.ts'
import type { HmacKey } from '../../platform/foundation/hmac-key.ts'
import { readRetryAfter } from '../../platform/foundation/retry-after.ts'
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
    async send(context, delivery, startedAt, span) {
      const address = readAddress(context, brand, delivery, startedAt)
      // Worth another attempt: the operator puts the missing key back.
      if (address instanceof UnreadableSecret) return failed('retry', null, address.message)
      if (address === undefined) return failed('give up', null, endpointDeleted)
      if (span) {
        nameServer(span, String(address.url))
        address.headers.traceparent = span.traceparent
      }
      return post(context, outgoing, address, delivery.body)
    },
  }
}

async function post(
  context: Context,
  outgoing: Outgoing,
  address: SignedAddress,
  body: Delivery['body'],
): Promise<SendResult> {
  try {
    const response = await outgoing.call({
      method: 'POST',
      url: address.url,
      headers: address.headers,
      body,
      limitMs: attemptLimitMs,
      maxBodyBytes: maxLoggedBodyBytes,
    })
    const { status, headers } = response
    const isSuccess = status >= 200 && status < 300
    return {
      verdict: isSuccess ? 'delivered' : 'retry',
      statusCode: status,
      responseBody: response.body,
      stage: isSuccess ? null : 'status',
      error: isSuccess ? null : `returned ${status}`,
      retryAfterMs: readRetryAfter({ headers }, context.services.clock),
    }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return failed('retry', error.stage, error.message)
  }
}

interface SignedAddress {
  url: string | URL
  headers: Record<string, string>
}

function readAddress(...given: Parameters<typeof addressOf>): ReturnType<typeof addressOf> | UnreadableSecret {
  try {
    return addressOf(...given)
  } catch (error) {
    if (error instanceof UnreadableSecret) return error
    throw error
  }
}

/** The address of a delivery, with the headers that prove who sends it. */
function addressOf(context: Context, brand: string, delivery: Delivery, startedAt: Date): SignedAddress | undefined {
  const { id, endpoint, receiverId, body } = delivery
  const timestamp = timestampOf(startedAt)
  // An address that an automation names shares no secret with us, so nothing is signed.
  if (isAddress(receiverId))
    return { url: receiverId, headers: { ...plainHeaders, ...unsignedHeaders({ id, timestamp }) } }
  if (endpoint === null) return undefined
  const { url, keys, headers } = prepare(context, delivery, endpoint)
  // Not spread: Node 20 needs a twentieth of a delivery's time for that.
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
