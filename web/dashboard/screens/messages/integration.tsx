import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { read, refreshMs } from '../../app/api.ts'
import { Credentials } from '../../app/credentials.tsx'
import { type IntegrationName, isIntegration } from '../../app/integration-words.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Card, Columns, Page } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { DeliveryList } from './delivery-list.tsx'
import { FailureSentence, HealthBadge, HealthFigures } from './health.tsx'
import { integrationName } from './integration-name.ts'
import { IntegrationSettings } from './integration-settings.tsx'
import { IntegrationTest } from './integration-test.tsx'
import { SendSwitch } from './send-switch.tsx'

type Overview = Schemas['IntegrationOverview']

export function Integration() {
  const slug = useSlug()
  const { integration } = useParams({ from: '/signed-in/$slug/messages/integrations/$integration' })
  const query = useQuery({
    ...read('/v1/shops/{slug}/integrations', { params: { path: { slug } } }),
    refetchInterval: refreshMs,
  })
  const overview = query.data?.integrations.find((each) => each.integration === integration)
  const back = (
    <Link to="/$slug/messages/integrations" params={{ slug }}>
      {t('nav.integrations')}
    </Link>
  )
  if (overview && isIntegration(integration)) {
    const named = { ...overview, name: integrationName(overview) }
    return <IntegrationPage key={integration} name={integration} overview={named} back={back} />
  }
  return (
    <Page title={t('nav.integrations')} back={back}>
      {query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : query.data ? (
        <Empty title={t('problem.no_page')}>{t('problem.no_page_text')}</Empty>
      ) : (
        <>
          <SkeletonLines />
          <SkeletonBox rows={6} />
        </>
      )}
    </Page>
  )
}

interface IntegrationPageProps {
  name: IntegrationName
  overview: Overview
  back: React.ReactNode
}

function IntegrationPage({ name, overview, back }: IntegrationPageProps) {
  const isAdmin = useMay('admin')
  const { health } = overview
  return (
    <Page title={overview.name} back={back} aside={<HealthBadge health={health} />} lead={t(`messages.about.${name}`)}>
      {health.state === 'failing' && (
        <Banner tone="wrong" title={t('messages.failing_title')}>
          <p>
            <FailureSentence health={health} />
          </p>
        </Banner>
      )}
      <HealthFigures health={health} />
      <Columns
        main={<IntegrationSettings name={name} />}
        side={
          <>
            <Card>
              <SendSwitch name={name} overview={overview} />
            </Card>
            {isAdmin && <CredentialsCard name={name} />}
            {isAdmin && <IntegrationTest name={name} overview={overview} />}
          </>
        }
      />
      {isAdmin && <Log integration={name} />}
    </Page>
  )
}

function CredentialsCard({ name }: { name: IntegrationName }) {
  const slug = useSlug()
  const toasts = useToasts()
  if (name === 'smtp') {
    return (
      <Card title={t('messages.mail_server')}>
        <p>{t('messages.mail_server_text')}</p>
        <p>
          <Link to="/$slug/connect/smtp" params={{ slug }}>
            {t('messages.mail_server_link')}
          </Link>
        </p>
      </Card>
    )
  }
  return (
    <Card title={t('messages.credentials')}>
      <Credentials system={name} onSaved={() => toasts.done(t('messages.credentials_saved'))} />
    </Card>
  )
}

function Log({ integration }: { integration: IntegrationName }) {
  const search = useSearch({ from: '/signed-in/$slug/messages/integrations/$integration' })
  const navigate = useNavigate({ from: '/$slug/messages/integrations/$integration' })
  return (
    <div className="stack">
      <h2>{t('messages.log')}</h2>
      <DeliveryList
        receiver={{ integration }}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
        empty={<Empty title={t('messages.no_messages')}>{t('messages.no_messages_text')}</Empty>}
      />
    </div>
  )
}
