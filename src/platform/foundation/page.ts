import { type Static, type TSchema, Type } from './schema.ts'

/** The parameters of every paged collection. */
export const Paging = Type.Object({
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1, description: 'Page number, from 1' }),
  ),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Items on a page' })),
})

/** Up to here a collection's total is counted exactly; counting further would cost more the longer a shop's history is. */
export const exactTotalLimit = 10_000

export interface PageRequest {
  page: number
  perPage: number
}

/** One page of a collection, with its total if that is known. */
export interface Page<Item> {
  items: Item[]
  total: number | undefined
  hasNext: boolean
}

export function pageRequest(query: Static<typeof Paging>): PageRequest {
  return { page: query.page ?? 1, perPage: query.per_page ?? 30 }
}

export function offsetOf({ page, perPage }: PageRequest): number {
  return (page - 1) * perPage
}

/**
 * A row limit that includes the page, one of few values: as a literal in the statement, it lets the planner see how little
 * is wanted. A limit in a parameter counts as a tenth of all expected rows; if that was more than the page, the statement
 * was planned at every execution, which doubled its time.
 */
export function reachOf(request: PageRequest): number {
  let reach = 128
  while (reach < offsetOf(request) + request.perPage + 1) reach *= 8
  return reach
}

/** The reply of an operation that returns a page: a bare array, with Link and X-Total-Count headers. */
export function PageOf<Item extends TSchema>(item: Item) {
  return Type.Unsafe<Page<Static<Item>>>({ ...Type.Array(item), 'x-page': true })
}

/** The same, with the array in a named field. */
export function PageUnder<Item extends TSchema>(name: string, item: Item) {
  return Type.Unsafe<Page<Static<Item>>>({ ...Type.Object({ [name]: Type.Array(item) }), 'x-page': name })
}

export function isPageReply(schema: TSchema): boolean {
  return (schema as { 'x-page'?: unknown })['x-page'] !== undefined
}

/** The body of a page. */
export function pageBody(schema: TSchema, items: unknown[]): unknown {
  const name = (schema as { 'x-page'?: unknown })['x-page']
  return typeof name === 'string' ? { [name]: items } : items
}

/**
 * Cuts a list that was fetched with one row more than the page has. The total follows from a page that is not
 * full; otherwise `count` is called, and returns undefined above the limit.
 */
export async function cutPage<Item>(
  request: PageRequest,
  fetched: Item[],
  count: () => Promise<number | undefined>,
): Promise<Page<Item>> {
  const hasNext = fetched.length > request.perPage
  const items = hasNext ? fetched.slice(0, request.perPage) : fetched
  const isLast = !hasNext && (items.length > 0 || request.page === 1)
  return { items, hasNext, total: isLast ? offsetOf(request) + items.length : await count() }
}
