import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm, Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Banner, wordsOf } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { SecretDialog } from './endpoint-form.tsx'
import { boundedCount } from './health.tsx'

interface ActionProps {
  endpoint: Schemas['WebhookEndpoint']
  onClose: () => void
}

/** Shows the loss in numbers, and deletes. */
export function DeleteEndpoint({ endpoint: { uuid, health }, onClose }: ActionProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const remove = useMutation({
    mutationFn: () => api.delete('/v1/shops/{slug}/webhooks/{uuid}', { params: { path: { slug, uuid } } }),
    async onSuccess() {
      await navigate({ to: '/$slug/messages/webhooks', params: { slug } })
      toasts.done(t('messages.endpoint_deleted'))
      await refresh(queryClient, '/v1/shops/{slug}/webhooks')
    },
    onError: toasts.failed,
  })
  return (
    <Confirm
      title={t('messages.delete_title')}
      action={t('messages.delete_endpoint')}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('messages.delete_text')}</p>
      <ul className="plain-list">
        <li>
          {health.pending === 0
            ? t('messages.delete_no_pending')
            : t('messages.delete_pending', { count: health.pending, shown: boundedCount(health.pending) })}
        </li>
        {health.dead > 0 && (
          <li>{t('messages.delete_dead', { count: health.dead, shown: boundedCount(health.dead) })}</li>
        )}
        <li>{t('messages.delete_log')}</li>
      </ul>
    </Confirm>
  )
}

/** Makes a new secret and shows it once; for a day both sign. */
export function RotateSecret({ endpoint: { uuid }, onClose }: ActionProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const rotate = useMutation({
    mutationFn: () => api.post('/v1/shops/{slug}/webhooks/{uuid}/rotate-secret', { params: { path: { slug, uuid } } }),
    onSuccess: () => refresh(queryClient, '/v1/shops/{slug}/webhooks'),
    onError: toasts.failed,
  })
  if (rotate.data) {
    return <SecretDialog title={t('messages.rotated')} secret={rotate.data.secret ?? ''} onClose={onClose} />
  }
  return (
    <Dialog
      title={t('messages.rotate')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            {t('messages.make_secret')}
          </Button>
        </>
      }
    >
      <p>{t('messages.rotate_text')}</p>
    </Dialog>
  )
}

/** Sends again what was given up since a day. */
export function RecoverDeliveries({ endpoint: { uuid, health }, onClose }: ActionProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [since, setSince] = useState(() => dayOf(health.failing_since ?? health.last_success_at))
  const recover = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/webhooks/{uuid}/recover', {
        params: { path: { slug, uuid } },
        body: { since: new Date(`${since}T00:00:00`).toISOString() },
      }),
    async onSuccess({ recovered }) {
      toasts.done(t('messages.recovered', { count: recovered }))
      onClose()
      await refresh(queryClient, '/v1/shops/{slug}/webhooks', '/v1/shops/{slug}/deliveries')
    },
  })
  return (
    <Dialog
      title={t('messages.recover')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button
            variant="primary"
            disabled={since === ''}
            isBusy={recover.isPending}
            onClick={() => since !== '' && recover.mutate()}
          >
            {t('messages.recover_action')}
          </Button>
        </>
      }
    >
      {recover.isError && <Banner tone="wrong" title={wordsOf(recover.error)} />}
      <p>
        {health.dead === 0
          ? t('messages.recover_none')
          : t('messages.recover_text', { count: health.dead, shown: boundedCount(health.dead) })}
      </p>
      <TextField label={t('messages.recover_since')} type="date" value={since} onChange={setSince} />
    </Dialog>
  )
}

/** The day in the reader's own time zone; a week ago if the time is not known. */
function dayOf(time: string | null): string {
  const at = time === null ? new Date(Date.now() - 7 * 86_400_000) : new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
