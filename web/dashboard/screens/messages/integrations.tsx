import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { HealthBadge, rateWords, reasonWords } from './health.tsx'
import { integrationName } from './integration-name.ts'

type Overview = Schemas['IntegrationOverview']

export function Integrations() {
  const slug = useSlug()
  const query = useQuery({
    ...read('/v1/shops/{slug}/integrations', { params: { path: { slug } } }),
    refetchInterval: refreshMs,
  })
  return (
    <Page title={t('nav.integrations')} lead={t('messages.integrations_lead')}>
      {query.isPending ? (
        <div className="integration-grid">
          {[1, 2, 3, 4, 5, 6].map((box) => (
            <SkeletonBox key={box} rows={2} />
          ))}
        </div>
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ul className="integration-grid" data-list>
          {query.data.integrations.map((overview) => (
            <IntegrationCard key={overview.integration} overview={overview} />
          ))}
        </ul>
      )}
    </Page>
  )
}

function IntegrationCard({ overview }: { overview: Overview }) {
  const slug = useSlug()
  const { integration, health } = overview
  return (
    <li className="card integration-card">
      <div className="card-body stack tight">
        <div className="row apart">
          <h2>
            <Link to="/$slug/messages/integrations/$integration" params={{ slug, integration }}>
              {integrationName(overview)}
            </Link>
          </h2>
          {isSetUp(overview) ? <HealthBadge health={health} /> : <Badge>{t('messages.not_set_up')}</Badge>}
        </div>
        <p className="soft">
          <Summary overview={overview} />
        </p>
      </div>
    </li>
  )
}

function isSetUp({ is_on, has_credentials }: Overview): boolean {
  return is_on || has_credentials
}

/** The one thing to know about it now. */
function Summary({ overview }: { overview: Overview }) {
  const { is_on, has_credentials, health } = overview
  if (!isSetUp(overview)) return t(`messages.about.${overview.integration}`)
  if (!has_credentials) return t('messages.integration_no_credentials')
  if (!is_on) return t('messages.integration_off')
  if (health.failing_since && health.last_failure) {
    const { at, reason } = health.last_failure
    return rich('messages.integration_failing', {
      reason: reason ? reasonWords(reason) : t('messages.no_answer'),
      time: <RelativeTime at={at} />,
    })
  }
  if (health.last_success_at === null) return t('messages.integration_quiet')
  return rich('messages.integration_healthy', {
    time: <RelativeTime at={health.last_success_at} />,
    rate: rateWords(health.last_24_hours),
  })
}
