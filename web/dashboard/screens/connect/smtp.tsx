import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Banner, Problem } from '../../kit/problem.tsx'
import { type Step, Stepper } from '../../kit/stepper.tsx'
import { t } from '../../texts/texts.ts'
import { IntegrationTestForm } from '../messages/integration-test.tsx'
import { SendSwitch } from '../messages/send-switch.tsx'
import { LiveCheck } from './check.tsx'
import { type MailConnection, useCheck, useConnections } from './data.ts'
import { SmtpForm, type StoredAccount } from './smtp-form.tsx'
import { GuidePage, LoadingSteps, useStep } from './system-page.tsx'
import { nameOf, StateBadge } from './words.tsx'

/** The guide through connecting a mail server. */
export function Smtp() {
  const slug = useSlug()
  const params = { path: { slug } }
  const connections = useConnections()
  const settings = useQuery(read('/v1/shops/{slug}/settings/mail', { params }))
  const keys = useQuery(read('/v1/shops/{slug}/keys', { params }))
  if (connections.data && settings.data && keys.data) {
    return <Guide mail={connections.data.mail} isOn={settings.data.is_on} stored={keys.data.smtp} />
  }
  const failed = [connections, settings, keys].find((query) => query.isError)
  return (
    <GuidePage title={t('connect.smtp.title')}>
      {failed?.isError ? <Problem error={failed.error} retry={() => void failed.refetch()} /> : <LoadingSteps />}
    </GuidePage>
  )
}

interface GuideProps {
  mail: MailConnection
  isOn: boolean
  stored: StoredAccount | undefined
}

function Guide({ mail, isOn, stored }: GuideProps) {
  const { step, goTo } = useStep()
  const check = useCheck('smtp')
  const hasServer = mail.source !== null
  const server: Step = {
    name: 'server',
    title: t('connect.smtp.server'),
    isDone: hasServer,
    summary: stored
      ? t('connect.smtp.server_stored', { sender: stored.from_address })
      : t(hasServer ? 'connect.smtp.installation_title' : 'connect.smtp.server_summary'),
    children: (
      <>
        {mail.source === 'installation' && (
          <Banner tone="neutral" title={t('connect.smtp.installation_title')}>
            <p>{t('connect.smtp.installation_text')}</p>
          </Banner>
        )}
        <SmtpForm
          stored={stored}
          onSaved={() => {
            check.mutate()
            goTo('test')
          }}
        />
      </>
    ),
  }
  const test: Step = {
    name: 'test',
    title: t('connect.test'),
    isDone: mail.state === 'connected',
    isWrong: mail.state === 'failing',
    summary: t(mail.state === 'connected' ? 'connect.test_done' : 'connect.test_summary'),
    children: hasServer ? (
      <>
        <p>{t('connect.smtp.test_text')}</p>
        <LiveCheck system="smtp" check={check} known={mail.problem} />
        <details>
          <summary>{t('connect.smtp.sample')}</summary>
          <div className="stack">
            <IntegrationTestForm name="smtp" overview={{ test: 'message', name: nameOf('smtp') }} />
          </div>
        </details>
      </>
    ) : (
      <p className="soft">{t('connect.needs_credentials')}</p>
    ),
  }
  const on: Step = {
    name: 'on',
    title: t('connect.smtp.on'),
    isDone: isOn,
    summary: t(onSummary(isOn, hasServer)),
    children: <SwitchOn isOn={isOn} hasServer={hasServer} />,
  }
  const title = t('connect.smtp.title')
  return (
    <GuidePage title={title} aside={<StateBadge state={mail.state} />} lead={t('connect.smtp.lead')}>
      <Stepper label={title} open={step} onOpen={goTo} steps={[server, test, on]} />
    </GuidePage>
  )
}

function onSummary(isOn: boolean, hasServer: boolean) {
  if (isOn) return 'connect.smtp.is_on'
  return hasServer ? 'connect.switched_off' : 'connect.needs_credentials'
}

function SwitchOn({ isOn, hasServer }: { isOn: boolean; hasServer: boolean }) {
  const slug = useSlug()
  return (
    <>
      <p>{t('connect.smtp.on_text')}</p>
      <SendSwitch name="smtp" overview={{ is_on: isOn, has_credentials: hasServer }} />
      {isOn && (
        <p>
          <Link to="/$slug/messages/integrations/$integration" params={{ slug, integration: 'smtp' }}>
            {t('connect.marketing.details')}
          </Link>
        </p>
      )}
    </>
  )
}
