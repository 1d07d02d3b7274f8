import type { Schemas } from '@doorstep/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { api, read, refresh, refreshMs } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Check } from '../../kit/field.tsx'
import { Card, Columns, Page } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { CredentialsCard } from './credentials.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { FailureSentence, HealthBadge, HealthFigures } from './health.tsx'
import { IntegrationSettings } from './integration-settings.tsx'
import { IntegrationTest } from './integration-test.tsx'
import { type IntegrationName, isIntegration } from './integration-words.ts'

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
    return <IntegrationPage key={integration} name={integration} overview={overview} back={back} />
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
        main={
          <>
            <IntegrationSettings name={name} />
            {isAdmin && <Log integration={name} />}
          </>
        }
        side={
          <>
            <SwitchCard name={name} overview={overview} />
            {isAdmin && <CredentialsCard name={name} />}
            {isAdmin && <IntegrationTest name={name} overview={overview} />}
          </>
        }
      />
    </Page>
  )
}

/** Whether messages are sent at all: takes effect at once, and can be undone. */
function SwitchCard({ name, overview: { is_on, has_credentials } }: { name: IntegrationName; overview: Overview }) {
  const slug = useSlug()
  const isAdmin = useMay('admin')
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const change = async (isOn: boolean) => {
    await api.patch('/v1/shops/{slug}/settings/triggers', { params: { path: { slug } }, body: { [name]: isOn } })
    await refresh(queryClient, '/v1/shops/{slug}/integrations', '/v1/shops/{slug}/settings')
  }
  const flip = useMutation({
    mutationFn: change,
    onSuccess: (_reply, isOn) =>
      toasts.done(t(isOn ? 'messages.switched_on' : 'messages.switched_off'), () => void change(!isOn)),
    onError: toasts.failed,
  })
  return (
    <Card>
      <Check
        kind="switch"
        label={t('messages.send_messages')}
        help={!is_on && !has_credentials ? t('messages.needs_credentials') : t('messages.send_messages_help')}
        isChecked={flip.isPending ? flip.variables : is_on}
        isDisabled={!isAdmin}
        onChange={(isOn) => flip.mutate(isOn)}
      />
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
