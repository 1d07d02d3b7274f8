import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type RowOf, refresh } from '../../app/api.ts'
import type { EventName } from '../../app/event-choice.tsx'
import { useSlug } from '../../app/session.ts'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

export const codesPath = '/v1/shops/{slug}/carriers/unmapped'
export type Code = RowOf<typeof codesPath>

/** It moves no parcel and is published to nobody: a code that means it is as good as ignored. */
export const ignoredEvent = 'MORE_INFO_ON_CARRIER_WEBSITE' as EventName // it is in the catalogue

/** Maps a code to an event, and undoes that. */
export function useMapping({ provider, code, scans, event_name }: Code) {
  const slug = useSlug()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const refreshAll = () => refresh(queryClient, codesPath, '/v1/shops/{slug}/attention')
  const undo = useMutation({
    mutationFn: () =>
      event_name === null
        ? api.delete(codesPath, { params: { path: { slug }, query: { provider, code } } })
        : api.put(codesPath, { params: { path: { slug } }, body: { provider, code, event_name } }),
    onSuccess: refreshAll,
    onError: toasts.failed,
  })
  const map = useMutation({
    mutationFn: (chosen: EventName) =>
      api.put(codesPath, { params: { path: { slug } }, body: { provider, code, event_name: chosen } }),
    onSuccess: async (_reply, chosen) => {
      await refreshAll()
      const words =
        chosen === ignoredEvent ? t('carriers.ignored', { code }) : t('carriers.code_saved', { code, count: scans })
      toasts.done(words, () => undo.mutate())
    },
    onError: toasts.failed,
  })
  const unmap = useMutation({
    mutationFn: () => api.delete(codesPath, { params: { path: { slug }, query: { provider, code } } }),
    onSuccess: async () => {
      await refreshAll()
      toasts.done(t('carriers.unmapped', { code }), event_name === null ? undefined : () => undo.mutate())
    },
    onError: toasts.failed,
  })
  return { map, undo: unmap }
}
