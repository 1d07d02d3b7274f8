import { hidePath } from '../delivery/queue/sealed-address.ts'
import { mayInShop, type ShopContext } from '../platform/foundation/context.ts'
import { ApiError } from '../platform/foundation/errors.ts'
import type { Action } from './schema.ts'

/**
 * An action `webhook` sends customer data to any URL, like a webhook endpoint, which only an admin can create. So changing
 * an automation that has or gets such an action requires the role admin too.
 */
export function checkWebhookAccess(context: ShopContext, ...actions: Pick<Action, 'type'>[]): void {
  if (actions.some(({ type }) => type === 'webhook') && !mayInShop(context, 'admin')) {
    throw new ApiError('insufficient_rights', 'An automation with an action webhook requires the role admin.')
  }
}

/** Hides the path of webhook URLs from callers who are not admins, as for webhook endpoints. */
export function maskWebhookUrls(context: ShopContext, actions: Action[]): Action[] {
  if (mayInShop(context, 'admin')) return actions
  return actions.map((action) => (action.type === 'webhook' ? { ...action, url: hidePath(action.url) } : action))
}
