import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { read, refreshMs } from '../../app/api.ts'
import { Credentials } from '../../app/credentials.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { CopyField } from '../../kit/copy.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Card, Page } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { isProvider, type Provider, type ProviderName, providersPath } from './known-providers.ts'
import { ProviderForm } from './provider-form.tsx'
import { UpdatesOff } from './providers.tsx'
import { parcelCount, Quota, StateBadge, StateSentence } from './state.tsx'
import { UsageChart } from './usage-chart.tsx'

/** One provider: its state, its carriers, and the calls to it. */
export function ProviderPage() {
  const slug = useSlug()
  const { provider: name } = useParams({ from: '/signed-in/$slug/carriers/providers/$provider' })
  const query = useQuery({ ...read(providersPath, { params: { path: { slug } } }), refetchInterval: refreshMs })
  const back = (
    <Link to="/$slug/carriers/providers" params={{ slug }}>
      {t('nav.providers')}
    </Link>
  )
  if (!isProvider(name)) {
    return (
      <Page title={t('problem.no_page')} back={back}>
        <p>{t('problem.no_page_text')}</p>
      </Page>
    )
  }
  const provider = query.data?.[name]
  return (
    <Page
      title={provider?.name ?? t('nav.providers')}
      aside={provider && <StateBadge provider={provider} />}
      lead={t(`carriers.about.${name}`)}
      back={back}
    >
      {query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : provider === undefined ? (
        <>
          <SkeletonBox rows={2} />
          <SkeletonLines count={6} />
        </>
      ) : (
        <Content name={name} provider={provider} />
      )}
    </Page>
  )
}

function Content({ name, provider }: { name: ProviderName; provider: Provider }) {
  const isAdmin = useMay('admin')
  const toasts = useToasts()
  const { health, webhook_url } = provider
  return (
    <>
      <UpdatesOff />
      <State provider={provider} />
      <Figures provider={provider} />
      <div className="pair">
        <ProviderForm key={name} name={name} provider={provider} />
        <div className="stack">
          {isAdmin && name !== 'sandbox' && (
            <Card title={t('messages.credentials')}>
              <Credentials system={name} onSaved={() => toasts.done(t('messages.credentials_saved'))} />
            </Card>
          )}
          {webhook_url && (
            <Card title={t('carriers.webhook')}>
              <p className="soft">{t('carriers.webhook_text', { name: provider.name })}</p>
              <CopyField label={t('carriers.webhook')} value={webhook_url} />
            </Card>
          )}
          <UsageChart usage={provider.usage} />
          {health.last_failure_detail && (
            <details>
              <summary>{t('carriers.own_words', { name: provider.name })}</summary>
              <p className="soft error-text">{health.last_failure_detail}</p>
            </details>
          )}
        </div>
      </div>
    </>
  )
}

function State({ provider }: { provider: Provider }) {
  if (provider.health.state !== 'failing' && provider.health.state !== 'no_credentials') {
    return (
      <p>
        <StateSentence provider={provider} />
      </p>
    )
  }
  const isFailing = provider.health.state === 'failing'
  return (
    <Banner
      tone={isFailing ? 'wrong' : 'late'}
      title={t(isFailing ? 'carriers.failing_title' : 'carriers.no_credentials_title', { name: provider.name })}
    >
      <p>
        <StateSentence provider={provider} />
      </p>
    </Banner>
  )
}

function Figures({ provider: { health, usage } }: { provider: Provider }) {
  const moment = (at: string | null) => (at === null ? t('messages.never') : <RelativeTime at={at} />)
  const figures = [
    [t('carriers.followed'), parcelCount(health.parcels_followed)],
    [t('carriers.requests_today'), formatNumber(usage.requests_today)],
    [t('carriers.requests_hour'), formatNumber(usage.requests_this_hour)],
    [t('carriers.last_success'), moment(health.last_success_at)],
    [t('carriers.last_failure'), moment(health.last_failure_at)],
  ] as const
  return (
    <div className="stack tight">
      <dl className="figures">
        {figures.map(([name, value]) => (
          <div key={name} className="figure">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Quota usage={usage} />
    </div>
  )
}
