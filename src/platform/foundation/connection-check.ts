import type { CallResponse } from './call.ts'
import { cutText } from './storable-text.ts'

/** Results of a live check of a connection. */
export const checkResults = [
  'ok',
  'missing_credentials',
  'unauthorised',
  'missing_permissions',
  'not_found',
  'unreachable',
  'rate_limited',
  'unexpected',
] as const
export type CheckResult = (typeof checkResults)[number]

/** Reasons for a failed check that concern the address, not the credentials. */
export const checkReasons = [
  'https_needed',
  'redirected',
  'wrong_address',
  'no_permalinks',
  'protected',
  'maintenance',
] as const
export type CheckReason = (typeof checkReasons)[number]

/** The result of a harmless call with stored credentials. */
export interface CheckOutcome {
  result: CheckResult
  /** Null if the result says it all. */
  reason: CheckReason | null
  /** Null if there was no response. */
  status: number | null
  /** Message of the other side, bounded and without secrets. */
  detail: string | null
  /** Facts about the account from the other side, for people: its name, plan or currency. */
  facts: Record<string, string>
  /** Scopes that the credentials lack. */
  missingPermissions: string[]
}

const maxDetailLength = 500

/** The check result that a status stands for. */
export function checkResultOf(status: number): CheckResult {
  if (status >= 200 && status < 300) return 'ok'
  if (status === 401) return 'unauthorised'
  // 402: the account's plan does not cover it.
  if (status === 402 || status === 403) return 'missing_permissions'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'unreachable' : 'unexpected'
}

/** The outcome of a response by its status. The reply is quoted only if it is a failure: a success may have data. */
export function checkOutcome(
  { status, body }: Pick<CallResponse, 'status' | 'body'>,
  facts: Record<string, string | undefined> = {},
): CheckOutcome {
  const result = checkResultOf(status)
  return {
    result,
    reason: null,
    status,
    detail: result === 'ok' ? null : shortDetail(body),
    facts: givenFacts(facts),
    missingPermissions: [],
  }
}

/** An outcome other than that of a status. */
export function checkFailure(
  result: CheckResult,
  detail: string | null = null,
  status: number | null = null,
): CheckOutcome {
  const shown = detail === null ? null : shortDetail(detail)
  return { result, reason: null, status, detail: shown, facts: {}, missingPermissions: [] }
}

/** A failure because of the address. The fact `use_address` is the one to enter instead, if it is known. */
export function addressFailure(
  result: Exclude<CheckResult, 'ok'>,
  reason: CheckReason,
  detail: string,
  { status = null, useAddress }: { status?: number | null; useAddress?: string | undefined } = {},
): CheckOutcome {
  const facts = givenFacts({ use_address: useAddress })
  return { ...checkFailure(result, detail, status), reason, facts }
}

/** A connection that works, without a status of HTTP. */
export function checkSuccess(facts: Record<string, string | undefined>): CheckOutcome {
  return { result: 'ok', reason: null, status: null, detail: null, facts: givenFacts(facts), missingPermissions: [] }
}

/** The credentials are of another kind, or incomplete. */
export const missingCredentials: CheckOutcome = checkFailure('missing_credentials')

function shortDetail(text: string): string | null {
  // Text that comes from outside may have characters that PostgreSQL rejects.
  const plain = text.replaceAll('\0', ' ').replaceAll(/\s+/g, ' ').trim()
  if (plain === '') return null
  return plain.length > maxDetailLength ? `${cutText(plain, maxDetailLength - 1)}…` : plain
}

function givenFacts(facts: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value ? [[name, value.slice(0, 200).replaceAll('\0', '')]] : [])),
  )
}
