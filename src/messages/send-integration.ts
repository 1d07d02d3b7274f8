import type { IntegrationResult as SendOutcome } from '../adapters/marketing/integration.ts'
import type { Integration, IntegrationName } from '../adapters/marketing/registry.ts'
import type { AccountState } from '../credentials/integration-keys/account.ts'
import { failed, type SendResult } from '../delivery/queue/attempt.ts'
import type { Delivery } from '../delivery/queue/delivery.ts'
import { noCredentials } from '../delivery/queue/failure-reason.ts'
import { attemptLimitMs } from '../delivery/queue/retry.ts'
import { maxLoggedBodyBytes, type Sender } from '../delivery/sending/sender.ts'
import { nameServer } from '../delivery/sending/trace-attempt.ts'
import type { Call } from '../platform/foundation/call.ts'
import type { Context } from '../platform/foundation/context.ts'
import { CredentialHostError, guardCredentials } from '../platform/foundation/credential-hosts.ts'
import { cutText } from '../platform/foundation/storable-text.ts'
import type { Span } from '../platform/foundation/tracing.ts'
import { OutgoingError } from '../platform/outgoing/errors.ts'
import type { Outgoing } from '../platform/outgoing/outgoing.ts'
import { toOutgoingEvent } from '../webhooks/payloads/outgoing-event.ts'
import type { Payload } from '../webhooks/payloads/payload.ts'

type ReadyAccount = Extract<AccountState, { state: 'ready' }>['account']

/** Finds the account that a shop uses an integration with. */
export type FindAccount = (context: Context, shopId: string, integration: IntegrationName) => Promise<AccountState>

/** Sends to a marketing system through its adapter. What it rejects for good is not tried again. */
export function createIntegrationSender(
  outgoing: Outgoing,
  integration: Integration,
  findAccount: FindAccount,
): Sender & { integration: IntegrationName } {
  return {
    integration: integration.name,
    ...(integration.requestsPerSecond === undefined ? {} : { requestsPerSecond: integration.requestsPerSecond }),
    async send(context, delivery, _startedAt, span) {
      const found = await findAccount(context, delivery.shopId, integration.name)
      if (found.state === 'none') return failed('give up', null, `${noCredentials} ${integration.name}`)
      if (found.state !== 'ready') return failed('give up', null, found.reason)
      return sendToAccount(context, { outgoing, integration, account: found.account }, delivery, span)
    },
  }
}

interface Destination {
  outgoing: Outgoing
  integration: Integration
  account: ReadyAccount
}

async function sendToAccount(
  context: Context,
  { outgoing, integration, account }: Destination,
  delivery: Delivery,
  span?: Span,
): Promise<SendResult> {
  const call: Call = (request) => {
    // The company has no part in our traces, so it gets no traceparent.
    if (span) nameServer(span, request.url)
    return outgoing.call({ ...request, limitMs: attemptLimitMs, maxBodyBytes: 256_000, isDirect: account.isDirect })
  }
  try {
    const guarded = guardCredentials(call, integration, context.services.credentialHosts)
    const payload = JSON.parse(delivery.body.toString()) as Payload // written by the payload builder only
    const event = toOutgoingEvent(delivery.id, delivery.eventGroup, payload)
    return toOutcome(await integration.send(guarded, account, event))
  } catch (error) {
    if (error instanceof CredentialHostError) return failed('give up', null, error.message)
    if (error instanceof OutgoingError) return failed('retry', error.stage, error.message)
    context.log.error({ err: error, integration: integration.name }, 'the adapter failed')
    return failed('retry', 'send', 'the adapter failed; the log has the cause')
  }
}

function toOutcome(outcome: SendOutcome): SendResult {
  if (outcome.result === 'skipped') return failed('skipped', null, outcome.reason)
  const base = { statusCode: outcome.status, responseBody: cutText(outcome.body, maxLoggedBodyBytes) }
  switch (outcome.result) {
    case 'delivered':
      return { ...base, verdict: 'delivered', stage: null, error: null, retryAfterMs: undefined }
    case 'rejected':
      return { ...base, verdict: 'give up', stage: 'status', error: outcome.key, retryAfterMs: undefined }
    case 'failed':
      return { ...base, verdict: 'retry', stage: 'status', error: outcome.key, retryAfterMs: outcome.retryAfterMs }
  }
}
