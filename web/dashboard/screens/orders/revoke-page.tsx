import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Confirm } from '../../kit/dialog.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

/** Makes the addresses of an order's tracking page invalid: for a link that reached the wrong person. */
export function RevokePage({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const revoke = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/orders/{order_id}/revoke-page', { params: { path: { slug, order_id: orderId } } }),
    async onSuccess() {
      await refresh(queryClient, 'page address')
      toasts.done(t('orders.page_revoked'))
      onClose()
    },
    onError: toasts.failed,
  })
  return (
    <Confirm
      title={t('orders.revoke_page_title')}
      action={t('orders.revoke_page')}
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{t('orders.revoke_page_text')}</p>
    </Confirm>
  )
}
