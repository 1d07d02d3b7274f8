import type { Context } from '../../foundation/context.ts'
import { readRetryAfter } from '../../foundation/retry-after.ts'
import type { Span } from '../../foundation/tracing.ts'
import { isAddress } from '../../notifications/store.ts'
import { type Outgoing, OutgoingError, type Stage } from '../../outgoing/outgoing.ts'
import type { Endpoint, TakenDelivery } from '../delivery.ts'
import { attemptLimitMs } from '../retry.ts'
import { secretPurpose, signatureHeaders } from '../signature.ts'
import { nameServer } from './trace-attempt.ts'

/** How an attempt ended, whoever was told. */
export interface Attempt {
  verdict: 'delivered' | 'skipped' | 'retry' | 'give up'
  statusCode: number | null
  answer: string | null
  stage: Stage | null
  error: string | null
  retryAfterMs: number | undefined
}

/** Bytes of a receiver's answer that the log keeps. */
export const keptAnswerBytes = 1_024

/** Tells a merchant's endpoint. Any 2xx within the time is success; everything else is worth another try. */
export async function sendWebhook(
  context: Context,
  outgoing: Outgoing,
  brand: string,
  delivery: TakenDelivery,
  span?: Span,
): Promise<Attempt> {
  const address = addressOf(context, brand, delivery)
  if (address === undefined) return failed('give up', null, 'the endpoint was deleted')
  if (span) {
    nameServer(span, address.url)
    address.headers.traceparent = span.traceparent
  }
  try {
    const answer = await outgoing.call({
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
      answerBytes: keptAnswerBytes,
    })
    const isSuccess = answer.status >= 200 && answer.status < 300
    return {
      verdict: isSuccess ? 'delivered' : 'retry',
      statusCode: answer.status,
      answer: answer.body,
      stage: isSuccess ? null : 'status',
      error: isSuccess ? null : `answered ${answer.status}`,
      retryAfterMs: readRetryAfter(answer, context.services.clock.now()),
    }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return failed('retry', error.stage, error.message)
  }
}

/** Where a delivery goes, with the headers that prove who sends. */
function addressOf(
  context: Context,
  brand: string,
  delivery: TakenDelivery,
): { url: string; headers: Record<string, string> } | undefined {
  const { id, endpoint, target, body } = delivery
  const timestamp = Math.floor(context.services.clock.now().getTime() / 1_000)
  // An address that an automation names shares no secret with us: its receiver is told which delivery it is, unsigned.
  if (isAddress(target)) return { url: target, headers: { 'webhook-id': id, 'webhook-timestamp': String(timestamp) } }
  if (endpoint === null) return undefined
  const secrets = secretsOf(context, delivery, endpoint)
  return { url: endpoint.url, headers: signatureHeaders(brand, secrets, { id, timestamp, body }) }
}

export function failed(verdict: Attempt['verdict'], stage: Stage | null, error: string): Attempt {
  return { verdict, statusCode: null, answer: null, stage, error, retryAfterMs: undefined }
}

/** What was opened for deliveries that were taken together: their endpoint is one object, and goes with them. */
const opened = new WeakMap<Endpoint, string[]>()

function secretsOf(context: Context, delivery: TakenDelivery, endpoint: Endpoint): string[] {
  const known = opened.get(endpoint)
  if (known) return known
  const secrets = openSecrets(context, delivery, endpoint)
  opened.set(endpoint, secrets)
  return secrets
}

function openSecrets(context: Context, delivery: TakenDelivery, endpoint: Endpoint): string[] {
  const open = (sealed: Buffer) => context.services.vault.open(sealed, secretPurpose(delivery.shopId, delivery.target))
  const { formerSecret, formerSecretUntil } = endpoint
  const isFormerValid =
    formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > context.services.clock.now()
  return [open(endpoint.secret), ...(isFormerValid ? [open(formerSecret)] : [])]
}
