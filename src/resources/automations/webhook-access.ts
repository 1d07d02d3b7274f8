import { hidePath } from '../../deliveries/log-present.ts'
import { mayInShop, type ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import type { Action } from './schema.ts'

/**
 * An action `webhook` sends customers' data to any address, as an endpoint does, and endpoints are an admin's. So is
 * whatever changes an automation that has one, before or after.
 */
export function checkWebhookAccess(context: ShopContext, ...actions: Pick<Action, 'type'>[]): void {
  if (actions.some(({ type }) => type === 'webhook') && !mayInShop(context, 'admin')) {
    throw new ApiError('insufficient_rights', 'An automation with an action webhook needs the role admin.')
  }
}

/** Actions as the caller may see them: like that of an endpoint, the whole address of a webhook is for admins. */
export function shownActions(context: ShopContext, actions: Action[]): Action[] {
  if (mayInShop(context, 'admin')) return actions
  return actions.map((action) => (action.type === 'webhook' ? { ...action, url: hidePath(action.url) } : action))
}
