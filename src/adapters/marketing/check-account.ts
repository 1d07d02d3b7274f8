import type { Call, CallResponse } from '../../platform/foundation/call.ts'
import { type CheckOutcome, checkFailure, checkOutcome } from '../../platform/foundation/connection-check.ts'
import { asObject, readObject } from '../../platform/foundation/read-json.ts'
import type { Credentials } from './integration.ts'
import { hideSecrets } from './secrets.ts'

export interface AccountQuery {
  url: string
  headers: Record<string, string>
  /** The permission that the call needs. */
  permission?: string
  /** The facts about the account in the reply. */
  facts?(content: Record<string, unknown>): Record<string, string | undefined>
}

/** Reads about an account with its credentials. */
export async function queryAccount(call: Call, credentials: Credentials, query: AccountQuery): Promise<CheckOutcome> {
  const { url, headers, permission, facts } = query
  const response = await hideSecrets(call, credentials)({ method: 'GET', url, headers })
  return readAccount(response, permission, facts)
}

export function readAccount(
  response: CallResponse,
  permission: string | undefined,
  facts: AccountQuery['facts'],
): CheckOutcome {
  const outcome = checkOutcome(response)
  if (outcome.result === 'missing_permissions' && permission) return { ...outcome, missingPermissions: [permission] }
  if (outcome.result !== 'ok') return outcome
  const content = readObject(response.body)
  if (content === undefined) return checkFailure('unexpected', null, response.status)
  return checkOutcome(response, facts?.(content))
}

/** A field of a nested record, as text. */
export function textAt(content: unknown, ...path: string[]): string | undefined {
  const value = path.reduce<unknown>((inner, name) => asObject(inner)?.[name], content)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
