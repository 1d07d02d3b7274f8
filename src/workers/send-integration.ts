import type { TakenDelivery } from '../deliveries/delivery.ts'
import { attemptLimitMs } from '../deliveries/retry.ts'
import { type Attempt, failed, keptAnswerBytes } from '../deliveries/worker/send-webhook.ts'
import { nameServer } from '../deliveries/worker/trace-attempt.ts'
import type { Context } from '../foundation/context.ts'
import { CredentialHostError, guardCredentials } from '../foundation/credential-hosts.ts'
import type { Span } from '../foundation/tracing.ts'
import type { Integration, Outcome, OutgoingEvent } from '../marketing/integration.ts'
import type { Payload } from '../notifications/payload.ts'
import { type Outgoing, OutgoingError } from '../outgoing/outgoing.ts'
import type { AccountState } from '../resources/integration-keys/account.ts'

/** Tells a marketing system through its adapter. What it rejects for good is not tried again. */
export async function sendToIntegration(
  context: Context,
  outgoing: Outgoing,
  integration: Integration,
  found: AccountState,
  delivery: TakenDelivery,
  span?: Span,
): Promise<Attempt> {
  if (found.state === 'none') return failed('give up', null, `no credentials are set for ${integration.name}`)
  if (found.state !== 'ready') return failed('give up', null, found.reason)
  try {
    const outcome = await integration.send(
      guardCredentials(
        (request) => {
          // Its company has no part in our traces, so it gets no traceparent.
          if (span) nameServer(span, request.url)
          const { isDirect } = found.account
          return outgoing.call({ ...request, limitMs: attemptLimitMs, answerBytes: 256_000, isDirect })
        },
        integration,
        context.services.credentialHosts,
      ),
      found.account,
      eventOf(delivery),
    )
    return toAttempt(outcome)
  } catch (error) {
    if (error instanceof CredentialHostError) return failed('give up', null, error.message)
    if (error instanceof OutgoingError) return failed('retry', error.stage, error.message)
    context.log.error({ err: error, integration: integration.name }, 'the adapter failed')
    return failed('retry', 'send', 'the adapter failed; the log has the cause')
  }
}

function eventOf(delivery: TakenDelivery): OutgoingEvent {
  const payload = JSON.parse(delivery.body.toString()) as Payload // written by publishEvents only
  return {
    id: delivery.id,
    source: payload.source,
    ref: payload.ref,
    eventGroup: delivery.eventGroup,
    triggeredAt: payload.triggered_at,
    shopSlug: payload.shop_slug,
    eventData: { ...payload.event_data, event_group: delivery.eventGroup },
    customer: payload.context.customer,
    payload: payload as unknown as Record<string, unknown>, // adapters read it field by field
  }
}

function toAttempt(outcome: Outcome): Attempt {
  if (outcome.result === 'skipped') return failed('skipped', null, outcome.reason)
  const base = { statusCode: outcome.status, answer: outcome.body.slice(0, keptAnswerBytes) }
  switch (outcome.result) {
    case 'delivered':
      return { ...base, verdict: 'delivered', stage: null, error: null, retryAfterMs: undefined }
    case 'refused':
      return { ...base, verdict: 'give up', stage: 'status', error: outcome.key, retryAfterMs: undefined }
    case 'failed':
      return { ...base, verdict: 'retry', stage: 'status', error: outcome.key, retryAfterMs: outcome.retryAfterMs }
  }
}
