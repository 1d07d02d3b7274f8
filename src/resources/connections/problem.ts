import type { CheckResult } from '../../foundation/connection-check.ts'
import type { ShopSystemConnection } from './schema.ts'
import type { CheckRow } from './store.ts'

/** A failed check in words; null if it succeeded. */
export function problemOf(system: string, check: CheckRow | undefined): ShopSystemConnection['problem'] {
  const result = check?.result as CheckResult | undefined // written by putCheck only
  if (check === undefined || result === undefined || result === 'ok') return null
  return { key: result, message: messageOf(system, result, check.missing_permissions) }
}

function messageOf(system: string, result: Exclude<CheckResult, 'ok'>, missing: string[]): string {
  switch (result) {
    case 'missing_credentials':
      return `The credentials for ${system} are missing or incomplete.`
    case 'unauthorised':
      return `${system} rejects the credentials.`
    case 'missing_permissions':
      return missing.length === 0
        ? `${system} accepts the credentials, but they may not read what is needed.`
        : `The credentials for ${system} lack these permissions: ${missing.join(', ')}.`
    case 'not_found':
      return `There is no API of ${system} at this address.`
    case 'unreachable':
      return `${system} could not be reached.`
    case 'rate_limited':
      return `${system} was called too often. Try again in a few minutes.`
    case 'unexpected':
      return `${system} replied with something that cannot be understood.`
  }
}
