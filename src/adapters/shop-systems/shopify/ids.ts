import { idOf } from '../read-fields.ts'

/** An id as text. A relay may have rounded the number, so the GraphQL id next to it is preferred. */
export function exactId(
  id: unknown,
  graphqlId: unknown,
  kind?: 'Order' | 'Product' | 'Fulfillment',
): string | undefined {
  const exact = typeof graphqlId === 'string' ? /^gid:\/\/shopify\/(\w+)\/(\d+)$/.exec(graphqlId) : null
  if (exact !== null && exact[1] === kind) return exact[2]
  return idOf(id)
}
