import type { QueryClient } from '@tanstack/react-query'
import { preload } from 'react-dom'
import { atOnce } from '../../app/at-once.ts'
import { firstPhotoOf } from './photo-urls.ts'
import { claimsQuery, isPending } from './query.ts'
import type { ClaimSearch } from './search.ts'

/** The queue, and the first photo of the claim that opens with it: nothing on the page is larger. */
export async function prepareDesk(queryClient: QueryClient, slug: string, search: ClaimSearch): Promise<void> {
  const query = claimsQuery(slug, search)
  await atOnce(queryClient, query)
  const first = queryClient.getQueryData(query.queryKey)?.rows.find((row) => !isPending(row))
  const photo = first && firstPhotoOf(first)
  if (photo !== undefined) preload(photo, { as: 'image', fetchPriority: 'high' })
}
