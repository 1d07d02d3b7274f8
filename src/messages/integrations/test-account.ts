import type { Account, IntegrationResult } from '../../adapters/marketing/integration.ts'
import type { Integration } from '../../adapters/marketing/registry.ts'
import { findIntegrationAccount } from '../../credentials/integration-keys/account.ts'
import { type FailureReason, failureReasonOf } from '../../delivery/queue/failure-reason.ts'
import { type Call, describeResponse } from '../../platform/foundation/call.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { CredentialHostError, guardCredentials } from '../../platform/foundation/credential-hosts.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { cutText } from '../../platform/foundation/storable-text.ts'
import { OutgoingError } from '../../platform/outgoing/errors.ts'
import { toOutgoingEvent } from '../../webhooks/payloads/outgoing-event.ts'
import { samplePayload } from '../../webhooks/payloads/sample.ts'
import type { IntegrationTestResult } from './schema.ts'

type Result = Omit<IntegrationTestResult, 'test'>

/** Characters of a response that the result has. */
const maxAnswerLength = 1_024

/** Sends a sample event with the shop's credentials, or verifies them if an event would change real data. */
export async function testAccount(context: ShopContext, integration: Integration, email: string): Promise<Result> {
  const { label } = integration
  const found = await findIntegrationAccount(context, context.shop.id, integration.name)
  switch (found.state) {
    case 'none':
      return unsent('no_credentials', `No credentials are set for ${label}.`)
    case 'wrong host':
      return unsent('wrong_host', found.reason)
    case 'set aside':
      return unsent('set_aside', found.reason)
    case 'ready':
      return testReady(context, integration, found.account, email)
  }
}

async function testReady(
  context: ShopContext,
  integration: Integration,
  account: Account,
  email: string,
): Promise<Result> {
  const call: Call = (request) => context.services.call({ ...request, isDirect: account.isDirect })
  const guarded = guardCredentials(call, integration, context.services.credentialHosts)
  try {
    if (integration.check) return toResult(integration.label, await integration.check(guarded, account))
    const { event, payload } = samplePayload(context, { email })
    const sample = toOutgoingEvent(newId(context.now), event.eventGroup, payload)
    return toResult(integration.label, await integration.send(guarded, account, sample))
  } catch (error) {
    if (error instanceof CredentialHostError) return unsent('wrong_host', error.message)
    if (!(error instanceof OutgoingError)) throw error
    const { stage, message } = error
    return unsent(reasonOf({ stage, statusCode: null, error: message }), `${integration.label}: ${message}`)
  }
}

function toResult(label: string, outcome: IntegrationResult): Result {
  if (outcome.result === 'skipped') return unsent('skipped', `${label}: ${outcome.reason}`)
  const { status, body } = outcome
  const isSent = status !== 0
  const reply = {
    status_code: isSent ? status : null,
    answer: isSent ? cutText(body, maxAnswerLength) : null,
  }
  if (outcome.result === 'delivered') return { ok: true, reason: null, message: `${label} accepted it.`, ...reply }
  return {
    ok: false,
    reason: reasonOf({ stage: 'status', statusCode: status, error: outcome.key }),
    message: isSent
      ? describeResponse(label, { status, headers: {}, body })
      : `The credentials for ${label} are not of the kind it needs.`,
    ...reply,
  }
}

function reasonOf(end: Parameters<typeof failureReasonOf>[0]): FailureReason {
  return failureReasonOf(end) ?? 'interrupted'
}

/** Without a response. */
function unsent(reason: Result['reason'], message: string): Result {
  return { ok: false, reason, message, status_code: null, answer: null }
}
