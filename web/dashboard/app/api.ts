import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, createClient, type Init, type OperationAt, type Success } from 'doorstep-client'
import type { ListResult } from '../kit/list/list.tsx'
import { language } from '../texts/texts.ts'
import type { GetPath } from './call.ts'
import { fetchOrTakeEarly } from './early.ts'

/** The API of the host that served this page. Errors are thrown as ApiError; texts come in the chosen language. */
export const api = createClient({ language, fetch: fetchOrTakeEarly })

/** The result of a GET operation: `Reply<'/v1/shops/{slug}'>`. */
export type Reply<Path extends GetPath> = Success<OperationAt<Path, 'get'>>

/** One row of an operation that returns a list. */
export type RowOf<Path extends GetPath> = Reply<Path> extends readonly (infer Row)[] ? Row : never

/** How often open pages load new data, unless their tab is in the background. */
export const refreshMs = 20_000

/** A query of one GET operation: `useQuery(read('/v1/shops/{slug}', { params: { path: { slug } } }))`. */
export function read<Path extends GetPath>(path: Path, ...[init]: Init<OperationAt<Path, 'get'>>) {
  return queryOptions({
    queryKey: [path, init] as const,
    queryFn: ({ signal }): Promise<Reply<Path>> => api.get(path, ...([{ ...init, signal }] as never)), // with what this call was checked for
  })
}

/** The same for an operation that returns a page of rows as a bare array, with its total in the headers. */
export function readList<Path extends GetPath>(path: Path, ...[init]: Init<OperationAt<Path, 'get'>>) {
  return queryOptions({
    queryKey: [path, init, 'page'] as const,
    queryFn: async ({ signal }): Promise<ListResult<RowOf<Path>>> => {
      const { items, total, hasNext } = await api.list(path as never, { ...init, signal } as never) // as above
      return { rows: items as RowOf<Path>[], total, hasNext }
    },
  })
}

/** Loads again what operations returned whose path begins so; to be called after a change. */
export async function refresh(queryClient: QueryClient, ...prefixes: string[]): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix)),
  })
}

/** Trying again helps against a busy or unreachable service, not against a request that it rejects. */
export function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= 2) return false
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}
