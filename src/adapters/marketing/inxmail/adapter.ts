import { checkFailure, checkOutcome, missingCredentials } from '../../../platform/foundation/connection-check.ts'
import { basicOf } from '../../../platform/foundation/secrets.ts'
import { eventKey } from '../event-name.ts'
import type { AdapterOptions, AdapterWith, OutgoingEvent } from '../integration.ts'
import { outcomeOf } from '../response-outcome.ts'
import { hideSecrets } from '../secrets.ts'
import { findSpaceUrl } from './space.ts'

/** Triggers an Inxmail Commerce event, which sends the transactional mailing configured for it. */
export function create(options: AdapterOptions = {}): AdapterWith<'checkAccount'> {
  return {
    /** Inxmail Commerce has no call to read with: an event without content is rejected, once the credentials are accepted. */
    async checkAccount(call, account) {
      const { credentials } = account
      const space = findSpaceUrl(account.settings)
      if (!('username' in credentials)) return missingCredentials
      if (space === undefined)
        return checkFailure('missing_credentials', 'instance_id names no space of Inxmail Commerce')
      const response = await hideSecrets(
        call,
        credentials,
      )({
        method: 'POST',
        url: `${options.baseUrl ?? space}/api-service/v1/events`,
        headers: headersOf(credentials),
        body: '{}',
      })
      if (response.status === 400 || response.status === 422) return checkFailure('ok', null, response.status)
      return checkOutcome(response)
    },
    async send(call, account, event) {
      const { email } = event.customer
      if (email === null || email === '') return { result: 'skipped', reason: 'the customer has no e-mail address' }
      const space = findSpaceUrl(account.settings)
      if (space === undefined) {
        return {
          result: 'skipped',
          reason: 'instance_id names no space of Inxmail Commerce: set it to the id of the space',
        }
      }
      const { credentials } = account
      if (!('username' in credentials)) return { result: 'rejected', status: 0, body: '', key: 'partner_key_not_found' }
      const response = await hideSecrets(
        call,
        credentials,
      )({
        method: 'POST',
        url: `${options.baseUrl ?? space}/api-service/v1/events`,
        headers: headersOf(credentials),
        body: JSON.stringify(triggerOf(event, email)),
      })
      return outcomeOf(response)
    },
  }
}

function headersOf({ username, password }: { username: string; password: string }): Record<string, string> {
  return {
    authorization: `Basic ${basicOf(username, password)}`,
    'content-type': 'application/json',
    accept: 'application/json',
  }
}

function triggerOf(event: OutgoingEvent, email: string): Record<string, unknown> {
  return {
    event: eventKey(event.eventGroup),
    // Inxmail ignores an id that it has seen within 72 hours.
    transactionId: event.id,
    payload: {
      ...event.eventData,
      email,
      customer: event.customer,
      shop_slug: event.shopSlug,
      triggered_at: event.triggeredAt,
    },
  }
}
