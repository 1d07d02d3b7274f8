import type { Client, Init, ItemAt, ListAt, OperationAt, PathsWith } from './client.ts'

/**
 * Every item of a list, page by page: `for await (const order of paginate(client, '/v1/shops/{slug}/orders', …))`. A page is
 * read when its first item is needed. `per_page` of the query is the size of a page, `page` the first one.
 */
export async function* paginate<Path extends PathsWith<'get'>>(
  client: Pick<Client, 'list'>,
  path: ListAt<Path>,
  ...[init]: Init<OperationAt<Path, 'get'>>
): AsyncGenerator<ItemAt<Path>, void, undefined> {
  const given = (init ?? {}) as { params?: { query?: { page?: number } } } // as every paged operation has it
  const first = given.params?.query?.page ?? 1
  for (let page = first; ; page += 1) {
    // Some lists have no pages and take no such parameter.
    const query = page === first ? given.params?.query : { ...given.params?.query, page }
    const next = { ...given, params: { ...given.params, ...(query ? { query } : {}) } }
    const { items, hasNext } = await client.list(path as never, next as never) // what this call was checked for
    yield* items as ItemAt<Path>[]
    if (!hasNext) return
  }
}
