import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { type AdminDocument, adminRequest, findShopUrl, readAdminResponse } from '../../vendors/shopify-admin.ts'
import type { Account, IntegrationResult } from '../integration.ts'
import { outcomeOf } from '../response-outcome.ts'
import { hideSecrets } from '../secrets.ts'

export type Failed = Exclude<IntegrationResult, { result: 'delivered' }>

/** The data of a reply, or why there is none. */
export type Executed = { response: CallResponse; data: Record<string, unknown> } | Failed

/** Sends one GraphQL document to the shop's Admin API. */
export async function execute(
  call: Call,
  account: Account,
  baseUrl: string | undefined,
  document: AdminDocument,
): Promise<Executed> {
  const { credentials } = account
  if (!('api_key' in credentials)) return { result: 'rejected', status: 0, body: '', key: 'partner_key_not_found' }
  const shop = findShopUrl(account.settings.shop_admin_url)
  if (shop === undefined) {
    return { result: 'skipped', reason: 'shop_admin_url is no address: set it to https://<shop>.myshopify.com' }
  }
  const send = hideSecrets(call, credentials)
  return read(await send(adminRequest(baseUrl ?? shop, credentials.api_key, document)))
}

function read(response: CallResponse): Executed {
  const { status, body } = response
  const outcome = outcomeOf(response)
  if (outcome.result !== 'delivered') return outcome
  const read = readAdminResponse(body)
  switch (read.result) {
    case 'data':
      return { response, data: read.data }
    case 'throttled':
      return { result: 'failed', status, body, key: 'bad_gateway', retryAfterMs: read.waitMs }
    case 'denied':
      return { result: 'rejected', status, body, key: 'partner_key_missing_permissions' }
    case 'failed':
      return { result: 'failed', status, body, key: 'bad_gateway' }
    case 'rejected':
      return { result: 'rejected', status, body, key: 'invalid_payload' }
  }
}
