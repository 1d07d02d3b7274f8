import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { ChoiceField } from '../../kit/field.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Banner } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import type { ProviderName, ProviderSettings } from './data.ts'

const statuses = ['disabled', 'testing', 'live'] as const
type Status = (typeof statuses)[number]

/** Off, recorded without telling anybody, or live: takes effect at once, and can be undone. */
export function ProviderSwitch({ name, settings }: { name: ProviderName; settings: ProviderSettings }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const params = { path: { slug } }
  const change = async (status: Status) => {
    await api.patch('/v1/shops/{slug}/settings/carriers/providers', { params, body: { [name]: { status } } })
    if (status !== 'disabled') await followParcels()
    await refresh(queryClient, '/v1/shops/{slug}/settings', '/v1/shops/{slug}/attention')
  }
  /** Unless the shop has this on, no provider is asked at all. */
  const followParcels = async () => {
    const { carriers } = await queryClient.fetchQuery(read('/v1/shops/{slug}/settings', { params }))
    if (!carriers.shipment_updates) {
      await api.patch('/v1/shops/{slug}/settings/carriers', { params, body: { shipment_updates: true } })
    }
  }
  const choose = useMutation({
    mutationFn: change,
    onSuccess: (_reply, status) => {
      const before = settings.status
      toasts.done(t(`connect.provider.now_${status}`), () => void change(before).catch(toasts.failed))
    },
    onError: toasts.failed,
  })
  const { parcels_followed } = settings.health
  return (
    <>
      {!settings.has_credentials && <Banner tone="late" title={t('connect.needs_credentials')} />}
      <ChoiceField
        label={t('connect.provider.choose')}
        value={choose.isPending ? choose.variables : settings.status}
        choices={statuses.map((status) => ({
          value: status,
          label: t(`connect.provider.${status}`),
          help: t(`connect.provider.${status}_help`),
        }))}
        onChange={(status) => choose.mutate(status)}
      />
      {settings.status !== 'disabled' && (
        <p className="soft">
          {t('connect.provider.followed', { count: parcels_followed, shown: formatNumber(parcels_followed) })}
        </p>
      )}
    </>
  )
}
