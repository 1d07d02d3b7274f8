import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import type { ListResult } from '../kit/list/list.tsx'
import { refreshMs } from './api.ts'

/** A page of rows that stays fresh while it is looked at. The rows of the list before stay until it has arrived. */
export function useListQuery<Data, Row, Key extends QueryKey>(
  options: UseQueryOptions<Data, Error, ListResult<Row>, Key>,
): UseQueryResult<ListResult<Row>> {
  return useQuery({ refetchInterval: refreshMs, placeholderData: keepPreviousData, ...options })
}
