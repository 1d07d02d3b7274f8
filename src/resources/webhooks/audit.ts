import type { ShopContext } from '../../foundation/context.ts'
import { findEndpoint } from './store.ts'

/** What the audit log records of a webhook endpoint: its settings, not its health. */
export const auditedEndpoint = {
  kind: 'webhook',
  named: 'url',
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const endpoint = await findEndpoint(context, id)
    if (endpoint === undefined) return undefined
    const { url, enabled_events, description, status, secret } = endpoint
    // The secret is encrypted, and the log shows only that it changed.
    return { url, enabled_events, description, status, secret }
  },
}
