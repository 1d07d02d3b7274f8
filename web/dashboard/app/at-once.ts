import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'

/** Longer than a response needs that has arrived already, too short to be noticed. */
const patienceMs = 50

/**
 * Has a page drawn once, with what it shows, if that has arrived or is about to: a skeleton first would cost a slow phone more
 * time than it saves. What fails or takes longer is the page's own affair.
 */
export async function atOnce<Data, Key extends QueryKey>(
  queryClient: QueryClient,
  ...queries: FetchQueryOptions<Data, Error, Data, Key>[]
): Promise<void> {
  const arrived = Promise.all(queries.map((query) => queryClient.prefetchQuery(query)))
  await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, patienceMs))])
}
