import type { Context } from '../foundation/operation.ts'
import type { TakenDelivery } from '../notifications/delivery-store.ts'
import { attemptLimitMs } from '../notifications/retry.ts'
import { secretPurpose, signatureHeaders } from '../notifications/signature.ts'
import { type Outgoing, OutgoingError, type Stage } from './outgoing.ts'

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
): Promise<Attempt> {
  const { endpoint } = delivery
  if (endpoint === null) return failed('give up', null, 'the endpoint was deleted')
  try {
    const answer = await outgoing.call({
      method: 'POST',
      url: endpoint.url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Doorstep',
        ...signatureHeaders(brand, secretsOf(context, delivery, endpoint), {
          id: delivery.id,
          timestamp: Math.floor(context.services.clock.now().getTime() / 1_000),
          body: delivery.body,
        }),
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
      retryAfterMs: retryAfter(answer.headers['retry-after'], context.services.clock.now()),
    }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return failed('retry', error.stage, error.message)
  }
}

export function failed(verdict: Attempt['verdict'], stage: Stage | null, error: string): Attempt {
  return { verdict, statusCode: null, answer: null, stage, error, retryAfterMs: undefined }
}

function secretsOf(
  context: Context,
  delivery: TakenDelivery,
  endpoint: NonNullable<TakenDelivery['endpoint']>,
): string[] {
  const open = (sealed: Buffer) => context.services.vault.open(sealed, secretPurpose(delivery.shopId, delivery.target))
  const { formerSecret, formerSecretUntil } = endpoint
  const isFormerValid =
    formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > context.services.clock.now()
  return [open(endpoint.secret), ...(isFormerValid ? [open(formerSecret)] : [])]
}

/** Seconds, or a date. */
function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now.getTime()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
