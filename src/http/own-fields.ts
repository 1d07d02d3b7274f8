import type { Place } from '../platform/foundation/ignored-fields.ts'
import type { Operation } from '../platform/foundation/operation.ts'

/** The names of our own replies that may come back at a place of a request. */
export type OwnFieldsAt = (place: Place) => ReadonlySet<string>

interface Node {
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}

/** So many areas have them in their records: `uuid`, `created_at`, `updated_at`, `shop_slug`. The next one is in six. */
const areasOfUsualField = 10

/**
 * Clients read a record, change it and send it back with all that it has. For each operation, finds which of the fields
 * that it does not accept are such fields, because
 * - the replies of the same collection have them at the top,
 * - an object in a reply of its area that has half of the fields of the place, or is in a field of the same name, has them, or
 * - the records of many areas do, and no request accepts them.
 */
export function createOwnFields(operations: readonly Operation[]): (operation: Operation) => OwnFieldsAt {
  const replies = new Map<Operation, Place[]>()
  const repliesOf = (operation: Operation) => {
    const known = replies.get(operation) ?? objectsOf(operation.reply as Node, undefined)
    replies.set(operation, known)
    return known
  }
  let usual: string[] | undefined
  return (operation) => (place) => {
    usual ??= usualFields(operations, repliesOf)
    const found = operations
      .filter(({ area }) => area === operation.area)
      .flatMap((other) => {
        const isSame = collectionOf(other) === collectionOf(operation)
        return repliesOf(other).filter((reply) => {
          if (reply.under === place.under && (reply.under !== undefined || isSame)) return true
          return resembles(reply, place)
        })
      })
    return new Set([...usual, ...found.flatMap(({ names }) => names)])
  }
}

function resembles(reply: Place, place: Place): boolean {
  const shared = place.names.filter((name) => reply.names.includes(name))
  return shared.length > 0 && shared.length * 2 >= place.names.length
}

/** `/v1/shops/{slug}/orders` for `/v1/shops/{slug}/orders/{order_id}` as well. */
function collectionOf({ path }: Operation): string {
  const steps = path.split('/')
  return steps.slice(0, steps.findLastIndex((step) => !step.startsWith('{')) + 1).join('/')
}

function usualFields(operations: readonly Operation[], repliesOf: (operation: Operation) => Place[]): string[] {
  const areas = new Map<string, Set<string>>()
  for (const operation of operations) {
    for (const { under, names } of repliesOf(operation)) {
      if (under !== undefined) continue
      for (const name of names) areas.set(name, (areas.get(name) ?? new Set()).add(operation.area))
    }
  }
  const taken = new Set(
    operations
      .flatMap(({ body }) => (body ? objectsOf(body as Node, undefined) : []))
      .flatMap(({ under, names }) => (under === undefined ? names : [])),
  )
  return [...areas].flatMap(([name, { size }]) => (size >= areasOfUsualField && !taken.has(name) ? [name] : []))
}

/** The objects of a schema: the field that leads to each, lists aside, and its names. */
function objectsOf(node: Node, under: string | undefined): Place[] {
  const inside = [
    ...(node.anyOf ?? []),
    ...(node.items ? [node.items] : []),
    ...Object.values(node.patternProperties ?? {}),
  ]
  const found = inside.flatMap((inner) => objectsOf(inner, under))
  if (node.properties === undefined) return found
  const fields = Object.entries(node.properties)
  return [
    ...found,
    { under, names: fields.map(([name]) => name) },
    ...fields.flatMap(([name, field]) => objectsOf(field, name)),
  ]
}
