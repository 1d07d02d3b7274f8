import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, refresh } from '../../app/api.ts'
import type { Exception } from '../../app/exception-words.tsx'
import { useSlug } from '../../app/session.ts'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

/** A change to parcels: the fields that get another value. */
export interface Change {
  assigned_to?: string | null
  snoozed_until?: string | null
  resolved?: boolean
  note?: string
}

interface Act {
  rows: readonly Exception[]
  change: Change
  /** The text of the notice that reports the change. */
  words: (count: number) => string
}

/** Changes parcels on the list, reports it, and offers to undo it: the previous values are sent again. */
export function useChangeExceptions() {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const send = (rows: readonly Exception[], change: Change) =>
    api.patch('/v1/shops/{slug}/exceptions', {
      params: { path: { slug } },
      body: { shipment_ids: rows.map(({ shipment_id }) => shipment_id), ...change },
    })
  const reload = () =>
    refresh(queryClient, '/v1/shops/{slug}/exceptions', '/v1/shops/{slug}/attention', '/v1/shops/{slug}/notes')
  const undo = useMutation({
    mutationFn: async (rows: readonly Exception[]) => {
      for (const group of groupsOf(rows)) await send(group, previousOf(group[0]))
    },
    onSuccess: reload,
    onError: toasts.failed,
  })
  return useMutation({
    mutationFn: ({ rows, change }: Act) => send(rows, change),
    onSuccess: async ({ changed, not_listed }, { rows, change, words }) => {
      const isUndoable = changed.length > 0 && change.note === undefined
      if (changed.length > 0) toasts.done(words(changed.length), isUndoable ? () => undo.mutate(rows) : undefined)
      if (not_listed.length > 0) toasts.done(t('exceptions.moved_on', { count: not_listed.length }))
      await reload()
    },
    onError: toasts.failed,
  })
}

/** Parcels with the same previous values can be restored by one request. */
function groupsOf(rows: readonly Exception[]): [Exception, ...Exception[]][] {
  const groups = new Map<string, [Exception, ...Exception[]]>()
  for (const row of rows) {
    const key = JSON.stringify(previousOf(row))
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

function previousOf({ state, assigned_to, snoozed_until }: Exception): Change {
  if (state === 'resolved') return { assigned_to, resolved: true }
  if (state === 'snoozed') return { assigned_to, snoozed_until }
  return { assigned_to, resolved: false, snoozed_until: null }
}
