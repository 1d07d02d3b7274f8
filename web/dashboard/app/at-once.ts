import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'

/** Longer than a response needs that has arrived already, too short to be noticed. */
const patienceMs = 50

/**
 * Draws a page once, with its data, if that has arrived or is about to: a skeleton first would cost a slow phone more
 * time than it saves. The page itself handles requests that fail or take longer.
 */
export async function atOnce<Data, Key extends QueryKey>(
  queryClient: QueryClient,
  ...queries: FetchQueryOptions<Data, Error, Data, Key>[]
): Promise<void> {
  const arrived = Promise.all(queries.map((query) => queryClient.prefetchQuery(query)))
  await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, patienceMs))])
}
