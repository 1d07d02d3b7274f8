import type { CheckReason, CheckResult } from '../../platform/foundation/connection-check.ts'
import type { ShopSystemConnection } from './schema.ts'
import type { CheckRow } from './store.ts'

/** A failed check as text; null if it succeeded. */
export function problemOf(system: string, check: CheckRow | undefined): ShopSystemConnection['problem'] {
  const result = check?.result as CheckResult | undefined // written by putCheck only
  if (check === undefined || result === undefined || result === 'ok') return null
  const reason = check.reason as CheckReason | null // written by putCheck only
  const { use_address: address = null } = (check.facts ?? {}) as Record<string, string> // likewise
  const message = reason ? reasonText(system, reason, address) : messageOf(system, result, check.missing_permissions)
  return { key: result, reason, use_address: address, message }
}

function reasonText(system: string, reason: CheckReason, address: string | null): string {
  switch (reason) {
    case 'https_needed':
      return `${system} accepts its credentials by https only.${enter(address)}`
    case 'redirected':
      return `The address of ${system} redirects to another one.${enter(address)}`
    case 'wrong_address':
      return `There is no API of ${system} at this address.${enter(address)}`
    case 'no_permalinks':
      return `The API of ${system} has no address of its own: set the permalinks of WordPress to anything but Plain.`
    case 'protected':
      return `Something in front of ${system} rejects requests to its API: a password, a firewall or a security plug-in.`
    case 'maintenance':
      return `${system} is in maintenance mode, or overloaded.`
  }
}

function enter(address: string | null): string {
  return address === null ? '' : ` Enter ${address}.`
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
