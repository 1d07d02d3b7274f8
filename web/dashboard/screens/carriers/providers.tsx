import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read, refresh, refreshMs } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Page } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { SkeletonBox } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { type Provider, type ProviderName, providerNames, providersPath } from './known-providers.ts'
import { parcelCount, Quota, StateBadge, StateSentence } from './state.tsx'

/** The tracking providers: whether they respond, and how much of their limits is used. */
export function Providers() {
  const slug = useSlug()
  const query = useQuery({ ...read(providersPath, { params: { path: { slug } } }), refetchInterval: refreshMs })
  return (
    <Page title={t('nav.providers')} lead={t('carriers.providers_lead')}>
      <UpdatesOff />
      {query.isPending ? (
        <div className="integration-grid">
          {providerNames.map((name) => (
            <SkeletonBox key={name} rows={4} />
          ))}
        </div>
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ul className="integration-grid" data-list>
          {providerNames.map((name) => (
            <ProviderCard key={name} name={name} provider={query.data[name]} />
          ))}
        </ul>
      )}
    </Page>
  )
}

function ProviderCard({ name, provider }: { name: ProviderName; provider: Provider }) {
  const slug = useSlug()
  const isUsed = provider.status !== 'disabled' || provider.usage.requests_last_24_hours > 0
  return (
    <li className="card integration-card">
      <div className="card-body stack tight">
        <div className="row apart">
          <h2>
            <Link to="/$slug/carriers/providers/$provider" params={{ slug, provider: name }}>
              {provider.name}
            </Link>
          </h2>
          <StateBadge provider={provider} />
        </div>
        <p className={provider.health.state === 'failing' ? undefined : 'soft'}>
          {isUsed || provider.has_credentials ? <StateSentence provider={provider} /> : t(`carriers.about.${name}`)}
        </p>
        {isUsed && (
          <>
            <dl className="provider-figures">
              <Figure name={t('carriers.followed')} value={parcelCount(provider.health.parcels_followed)} />
              <Figure name={t('carriers.requests_today')} value={formatNumber(provider.usage.requests_today)} />
              <Figure name={t('carriers.failures')} value={formatNumber(provider.usage.failures_last_24_hours)} />
            </dl>
            {name !== 'sandbox' && <Quota usage={provider.usage} />}
          </>
        )}
      </div>
    </li>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** A notice that no provider is queried while the shop's carrier updates are off. */
export function UpdatesOff() {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const settings = useQuery(read('/v1/shops/{slug}/settings', { params: { path: { slug } } }))
  const change = useMutation({
    mutationFn: (shipment_updates: boolean) =>
      api.patch('/v1/shops/{slug}/settings/carriers', { params: { path: { slug } }, body: { shipment_updates } }),
    onSuccess: async (_reply, isOn) => {
      await refresh(queryClient, '/v1/shops/{slug}/settings')
      if (isOn) toasts.done(t('carriers.updates_on'), () => change.mutate(false))
    },
    onError: toasts.failed,
  })
  if (settings.data?.carriers.shipment_updates !== false) return null
  return (
    <Banner
      tone="late"
      title={t('carriers.all_off')}
      action={
        mayChange && (
          <Button isBusy={change.isPending} onClick={() => change.mutate(true)}>
            {t('carriers.switch_on')}
          </Button>
        )
      }
    >
      <p>{t('carriers.all_off_text')}</p>
    </Banner>
  )
}
