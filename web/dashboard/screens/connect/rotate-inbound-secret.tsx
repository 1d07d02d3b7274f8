import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField } from '../../kit/field.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

/** How long the former secret may be accepted, in hours. */
const overlaps = ['24', '72', '168', '0'] as const
type Overlap = (typeof overlaps)[number]

/** Makes a new secret for what the shop's own systems send. The one before is accepted until it has been replaced everywhere. */
export function RotateInboundSecret({ onClose }: { onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [hours, setHours] = useState<Overlap>('24')
  const rotate = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/woocommerce/webhook-config/rotate-secret', {
        params: { path: { slug } },
        body: { former_valid_hours: Number(hours) },
      }),
    async onSuccess() {
      await refresh(queryClient, '/v1/shops/{slug}/woocommerce/webhook-config')
      toasts.done(t(`connect.inbound_secret.rotated.${hours}`))
      onClose()
    },
    onError: toasts.failed,
  })
  return (
    <Dialog
      title={t('connect.inbound_secret.rotate')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            {t('connect.inbound_secret.make')}
          </Button>
        </>
      }
    >
      <p>{t('connect.inbound_secret.text')}</p>
      <SelectField
        label={t('connect.inbound_secret.former')}
        help={t('connect.inbound_secret.former_help')}
        value={hours}
        choices={overlaps.map((value) => ({ value, label: t(`connect.inbound_secret.overlap.${value}`) }))}
        onChange={setHours}
      />
    </Dialog>
  )
}
