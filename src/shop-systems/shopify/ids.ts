import { idOf } from '../read-fields.ts'

/**
 * An id as text. Who passes a message on may have rounded its numbers, so the GraphQL id beside it is read where there
 * is one.
 */
export function exactId(
  id: unknown,
  graphqlId: unknown,
  kind?: 'Order' | 'Product' | 'Fulfillment',
): string | undefined {
  const exact = typeof graphqlId === 'string' ? /^gid:\/\/shopify\/(\w+)\/(\d+)$/.exec(graphqlId) : null
  if (exact !== null && exact[1] === kind) return exact[2]
  return idOf(id)
}
