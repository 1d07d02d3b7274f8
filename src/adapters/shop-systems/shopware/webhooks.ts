import type { Call } from '../../../platform/foundation/call.ts'
import { asList, readObject } from '../../../platform/foundation/read-json.ts'
import { isFields, textOf } from '../read-fields.ts'
import type { AdminApi, ShopwareAccount } from './admin-api.ts'

/** A webhook of our app, as Shopware keeps it. */
export interface AppWebhook {
  event: string
  /** False: Shopware switched it off after failures, or somebody did. */
  isActive: boolean
}

/** More than the app has. */
const limit = 100

/** The webhooks of the app that send to the address; the app must be allowed to read them. */
export async function listAppWebhooks(
  call: Call,
  api: AdminApi,
  account: ShopwareAccount,
  address: string,
): Promise<
  | { result: 'found'; webhooks: AppWebhook[] }
  | { result: 'failed'; key: 'partner_key_missing_permissions' | 'bad_gateway'; message: string }
> {
  const response = await api.send(call, account, {
    method: 'POST',
    path: '/search/webhook',
    body: { page: 1, limit, 'total-count-mode': 0, filter: [{ type: 'equals', field: 'url', value: address }] },
  })
  const list = !('result' in response) && response.status === 200 ? asList(readObject(response.body)?.data) : undefined
  if (list !== undefined) {
    const webhooks = list.filter(isFields).flatMap(({ eventName, active }): AppWebhook[] => {
      const event = textOf(eventName, 500)
      return event === undefined ? [] : [{ event, isActive: active === true }]
    })
    return { result: 'found', webhooks }
  }
  if (response.status === 403) {
    const message = 'The app may not read its webhooks yet. Install its current version in Shopware.'
    return { result: 'failed', key: 'partner_key_missing_permissions', message }
  }
  return { result: 'failed', key: 'bad_gateway', message: `Shopware could not be called: status ${response.status}.` }
}
