import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

/** Sends a message again; the page loads the result a moment later. */
export function ResendButton({ uuid, isSmall = false }: { uuid: string; isSmall?: boolean }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const refreshAll = () => refresh(queryClient, '/v1/shops/{slug}/deliveries', '/v1/shops/{slug}/webhooks')
  const resend = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/deliveries/{delivery_id}/resend', {
        params: { path: { slug, delivery_id: uuid } },
      }),
    async onSuccess() {
      toasts.done(t('messages.resent', { count: 1 }))
      await refreshAll()
      setTimeout(() => void refreshAll(), answerMs)
    },
    onError: toasts.failed,
  })
  return (
    <Button
      variant={isSmall ? 'secondary' : 'primary'}
      isSmall={isSmall}
      icon="send"
      isBusy={resend.isPending}
      onClick={() => resend.mutate()}
    >
      {t('messages.send_again')}
    </Button>
  )
}

/** Most receivers respond within this time. */
const answerMs = 2_500
