import { hidePath } from '../../delivery/queue/sealed-address.ts'
import { openHeaders } from '../../delivery/sending/custom-headers.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
import { addressOf } from './address.ts'
import { findEndpoint } from './store.ts'

/** A webhook endpoint in the audit log: its settings, not its health. */
export const auditedEndpoint = {
  kind: 'webhook',
  named: 'url',
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const endpoint = await findEndpoint(context, id)
    if (endpoint === undefined) return undefined
    const { enabled_events, description, status, secret, conditions, headers } = endpoint
    const names = openHeaders(context, { shopId: endpoint.shop_id, id, headers }).map(({ name }) => name)
    const url = addressOf(context, endpoint)
    // Secrets are encrypted, and the log shows only that they changed. The path of an address may be one.
    return {
      url: hidePath(url),
      url_secret: sha256(url),
      enabled_events,
      description,
      status,
      secret,
      conditions,
      headers: names,
      header_secrets: headers,
    }
  },
}
