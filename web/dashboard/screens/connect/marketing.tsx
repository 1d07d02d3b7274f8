import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { read, refreshMs } from '../../app/api.ts'
import { Credentials } from '../../app/credentials.tsx'
import { type IntegrationName, isIntegration, ownSettingOf } from '../../app/integration-words.ts'
import { useSlug } from '../../app/session.ts'
import { Problem } from '../../kit/problem.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Step, Stepper } from '../../kit/stepper.tsx'
import { t } from '../../texts/texts.ts'
import { IntegrationTestForm } from '../messages/integration-test.tsx'
import { SendSwitch } from '../messages/send-switch.tsx'
import { AddressForm } from './address-form.tsx'
import { LiveCheck } from './check.tsx'
import { type State, useCheck, useConnections } from './data.ts'
import { Instructions } from './instructions.tsx'
import { GuidePage, LoadingSteps, useStep } from './system-page.tsx'
import { nameOf, StateBadge } from './words.tsx'

type Overview = Schemas['IntegrationOverview']

/** The guide through connecting a marketing system. */
export function Marketing() {
  const slug = useSlug()
  const { name } = useParams({ from: '/signed-in/$slug/connect/marketing/$name' })
  const query = useQuery({
    ...read('/v1/shops/{slug}/integrations', { params: { path: { slug } } }),
    refetchInterval: refreshMs,
  })
  const overview = query.data?.integrations.find(({ integration }) => integration === name)
  if (overview && isIntegration(name) && name !== 'smtp') return <Guide key={name} name={name} overview={overview} />
  return (
    <GuidePage title={t('connect.connect_system', { system: nameOf(name) })}>
      {query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : query.data ? (
        <Empty title={t('problem.no_page')}>{t('problem.no_page_text')}</Empty>
      ) : (
        <LoadingSteps />
      )}
    </GuidePage>
  )
}

type MarketingName = Exclude<IntegrationName, 'smtp'>

function Guide({ name, overview }: { name: MarketingName; overview: Overview }) {
  const { step, goTo } = useStep()
  const slug = useSlug()
  const connections = useConnections()
  const state: State = connections.data?.marketing.find((account) => account.name === name)?.state ?? 'none'
  const title = t('connect.connect_system', { system: nameOf(name) })
  const setting = ownSettingOf(name)
  const credentials: Step = {
    name: 'credentials',
    title: t('connect.credentials'),
    isDone: overview.has_credentials,
    summary: t(overview.has_credentials ? 'connect.credentials_stored' : 'connect.credentials_summary'),
    children: (
      <>
        <Instructions name={name} />
        {setting && <AddressForm name={name} setting={setting} />}
        <Credentials system={name} onSaved={() => {}} />
      </>
    ),
  }
  const test: Step = {
    name: 'test',
    title: t('connect.test'),
    isDone: state === 'connected',
    isWrong: state === 'failing',
    summary: t(state === 'connected' ? 'connect.test_done' : 'connect.test_summary'),
    children: <TestCall name={name} overview={overview} />,
  }
  const on: Step = {
    name: 'on',
    title: t('connect.marketing.on'),
    isDone: overview.is_on,
    summary: t(onSummary(overview)),
    children: (
      <>
        <SendSwitch name={name} overview={overview} />
        <p>
          <Link to="/$slug/messages/integrations/$integration" params={{ slug, integration: name }}>
            {t('connect.marketing.details')}
          </Link>
        </p>
      </>
    ),
  }
  return (
    <GuidePage title={title} aside={<StateBadge state={state} />} lead={t(`messages.about.${name}`)}>
      <Stepper label={title} open={step} onOpen={goTo} steps={[credentials, test, on]} />
    </GuidePage>
  )
}

function onSummary({ is_on, has_credentials }: Overview) {
  if (is_on) return 'connect.marketing_on'
  return has_credentials ? 'connect.switched_off' : 'connect.needs_credentials'
}

/** A call that sends nothing, and a sample message for merchants who want to see it arrive. */
function TestCall({ name, overview }: { name: MarketingName; overview: Overview }) {
  const check = useCheck(name)
  if (!overview.has_credentials) return <p className="soft">{t('connect.needs_credentials')}</p>
  return (
    <>
      <p>{t('connect.test_text', { system: nameOf(name) })}</p>
      <LiveCheck system={name} check={check} />
      {overview.test === 'message' && (
        <details>
          <summary>{t('connect.marketing.sample')}</summary>
          <div className="stack">
            <IntegrationTestForm name={name} overview={overview} />
          </div>
        </details>
      )}
    </>
  )
}
