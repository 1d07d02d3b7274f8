import { hidePath } from '../delivery/queue/sealed-address.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { sha256 } from '../platform/foundation/crypto.ts'
import type { Action } from './schema.ts'
import { findAutomation } from './store.ts'

/** What the audit log records of an automation. The paths of its addresses may be secrets: the log shows only that they changed. */
export const auditedAutomation = {
  kind: 'automation',
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const row = await findAutomation(context, id)
    return row && { ...row, actions: (row.actions as Action[]).map(withoutPath) } // only checked automations are stored
  },
}

function withoutPath(action: Action): object {
  if (action.type !== 'webhook') return action
  return { ...action, url: hidePath(action.url), url_secret: sha256(action.url).toString('hex') }
}
