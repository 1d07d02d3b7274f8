import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, refreshMs } from '../../app/api.ts'
import type { ListResult } from '../../kit/list/list.tsx'
import { claimsCall, claimsPath } from './calls.ts'
import type { ClaimSearch } from './search.ts'

export type Claim = Schemas['ClaimOnDesk']
export type Status = Claim['status']

/** While a decision is pending, the queue reloads more often: the decision takes effect in seconds. */
const pendingMs = 2_000

/** One page of the queue. */
export function claimsQuery(slug: string, search: ClaimSearch) {
  const [path, init] = claimsCall(slug, search)
  return queryOptions({
    queryKey: [path, init, 'page'] as const,
    queryFn: async ({ signal }): Promise<ListResult<Claim>> => {
      const { data, response } = await api.raw.GET(path, { ...init, signal })
      const total = response.headers.get('x-total-count')
      return {
        rows: data?.claims ?? [],
        total: total === null ? undefined : Number(total),
        hasNext: (response.headers.get('link') ?? '').includes('rel="next"'),
      }
    },
    refetchInterval: ({ state }) => (state.data?.rows.some(isPending) ? pendingMs : refreshMs),
    placeholderData: keepPreviousData,
  })
}

export function claimQuery(slug: string, uuid: string) {
  return queryOptions({
    queryKey: [`${claimsPath}/{uuid}`, { params: { path: { slug, uuid } } }] as const,
    queryFn: ({ signal }): Promise<Claim> =>
      api.get(`${claimsPath}/{uuid}`, { params: { path: { slug, uuid } }, signal }),
    refetchInterval: ({ state }) => (state.data && isPending(state.data) ? pendingMs : refreshMs),
  })
}

export function isPending({ pending_decision }: Claim): boolean {
  return pending_decision !== null
}

/** Shows a decision before the service has responded; if it fails, a refresh corrects the page. */
export async function changeShownClaims(
  queryClient: QueryClient,
  ids: readonly string[],
  change: (claim: Claim) => Claim,
): Promise<void> {
  const predicate = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
    typeof path === 'string' && path.startsWith(claimsPath)
  await queryClient.cancelQueries({ predicate })
  const changed = (claim: Claim) => (ids.includes(claim.uuid) ? change(claim) : claim)
  for (const [key] of queryClient.getQueriesData({ predicate })) {
    if (key[2] === 'page') {
      queryClient.setQueryData<ListResult<Claim>>(key, (list) => list && { ...list, rows: list.rows.map(changed) })
    } else if (key[0] === `${claimsPath}/{uuid}`) {
      queryClient.setQueryData<Claim>(key, (claim) => claim && changed(claim))
    }
  }
}

/** The statuses that a claim can change to, as the service allows them, in the order of the buttons. */
export const nextStatuses: Readonly<Record<Status, readonly Status[]>> = {
  pending: ['accepted', 'rejected', 'closed'],
  accepted: ['closed'],
  rejected: ['pending', 'closed'],
  closed: [],
}

/** The keys of the keyboard that decide at once. */
export const decisionKeys: Readonly<Record<Status, string>> = {
  accepted: 'A',
  rejected: 'R',
  closed: 'C',
  pending: 'O',
}
