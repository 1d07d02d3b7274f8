import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, refresh } from '../../app/api.ts'
import { useSession, useSlug } from '../../app/session.ts'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { claimsPath } from './calls.ts'
import { keepDraft } from './drafts.ts'
import { type Claim, changeShownClaims, type Status } from './query.ts'

export const undoMs = 10_000
/** The service applies a decision when it is due; then everything is read again. */
const appliedMs = undoMs + 700

export interface Decision {
  claims: readonly Claim[]
  status: Status
  /** Undefined: the answer stays as it is. */
  reply?: string | null | undefined
}

/** One after the other: a decision that is undone at once has reached the service before. */
const scope = { id: 'claim decisions' }

/** Decides at once on the screen; the service waits, so that it can be undone. */
export function useDecide(): { decide: (decision: Decision) => void; undo: (claims: readonly Claim[]) => void } {
  const slug = useSlug()
  const { name } = useSession()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const reload = () => refresh(queryClient, claimsPath, '/v1/shops/{slug}/attention')
  const undo = useMutation({
    scope,
    mutationFn: (claims: readonly Claim[]) =>
      api.delete(`${claimsPath}/decisions`, {
        params: { path: { slug }, query: { claims: claims.map(({ uuid }) => uuid).join(',') } },
      }),
    onMutate: (claims) =>
      changeShownClaims(
        queryClient,
        claims.map(({ uuid }) => uuid),
        (claim) => ({ ...claim, pending_decision: null }),
      ),
    onSuccess: ({ undone, too_late }) => {
      if (undone.length > 0) toasts.done(t('claims.undone', { count: undone.length }))
      if (too_late.length > 0) toasts.done(t('claims.too_late', { count: too_late.length }))
    },
    onError: toasts.failed,
    onSettled: reload,
  })
  const decide = useMutation({
    scope,
    mutationFn: ({ claims, status, reply }: Decision) =>
      api.post(`${claimsPath}/decisions`, {
        params: { path: { slug } },
        body: { claims: claims.map(({ uuid }) => uuid), status, ...(reply === undefined ? {} : { reply }) },
      }),
    onMutate: ({ claims, status, reply }) => {
      const takes_effect_at = new Date(Date.now() + undoMs).toISOString()
      return changeShownClaims(
        queryClient,
        claims.map(({ uuid }) => uuid),
        (claim) => ({
          ...claim,
          pending_decision: { status, reply: reply ?? null, decided_by: name, takes_effect_at },
        }),
      )
    },
    onSuccess: (_reply, { claims, status, reply }) => {
      for (const { uuid } of claims) keepDraft(uuid, undefined)
      const takeBack = () => {
        if (reply) for (const { uuid } of claims) keepDraft(uuid, reply)
        undo.mutate(claims)
      }
      toasts.done(t(`claims.done.${status}`, { count: claims.length }), takeBack, undoMs)
      setTimeout(() => void reload(), appliedMs)
    },
    onError: (error) => {
      toasts.failed(error)
      void reload()
    },
  })
  return {
    decide: (decision) => decide.mutate(decision),
    undo: (claims) => {
      for (const { uuid, pending_decision: pending } of claims) if (pending?.reply) keepDraft(uuid, pending.reply)
      undo.mutate(claims)
    },
  }
}
