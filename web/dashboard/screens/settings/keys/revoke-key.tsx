import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, refresh } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Confirm } from '../../../kit/dialog.tsx'
import { formatRelative } from '../../../kit/format.ts'
import { Problem } from '../../../kit/problem.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import type { Key } from './key.ts'

interface RevokeKeyProps {
  apiKey: Key
  /** Revoked in all its shops, not in this one only. */
  seesAll: boolean
  onClose: () => void
}

export function RevokeKey({ apiKey, seesAll, onClose }: RevokeKeyProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const token_id = apiKey.id
  const revoke = useMutation({
    mutationFn: () =>
      seesAll
        ? api.delete('/v1/api-keys/{token_id}', { params: { path: { token_id } } })
        : api.delete('/v1/shops/{slug}/api-keys/{token_id}', { params: { path: { slug, token_id } } }),
    async onSuccess() {
      await refresh(queryClient, '/v1/api-keys', '/v1/shops/{slug}/api-keys')
      toasts.done(t('keys.revoked', { name: apiKey.username }))
      onClose()
    },
  })
  const used = apiKey.last_used_at
  return (
    <Confirm
      title={t('keys.revoke_title', { name: apiKey.username })}
      action={t('keys.revoke')}
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {revoke.isError && <Problem error={revoke.error} />}
      <p>{t('keys.revoke_text', { count: Math.max(1, apiKey.shops.length) })}</p>
      <p>{used === null ? t('keys.never_used') : t('keys.was_used', { time: formatRelative(used) })}</p>
    </Confirm>
  )
}
