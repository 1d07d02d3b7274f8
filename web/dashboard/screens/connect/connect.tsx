import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import type { ReactNode } from 'react'
import { read } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import {
  type Connections,
  type MailConnection,
  type MarketingAccount,
  type ProviderAccount,
  type ShopSystem,
  type State,
  useConnections,
} from './data.ts'
import { nameOf, problemHint, reasonHint, StateBadge } from './words.tsx'

/** Everything that a shop can be connected with: how each stands, and the one thing to do about it. */
export function Connect() {
  const query = useConnections()
  return (
    <Page title={t('nav.connect')} lead={t('connect.lead.all')}>
      {query.data ? (
        <Sections connections={query.data} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <>
          <SkeletonLines count={1} />
          <div className="connections">
            {[1, 2, 3].map((box) => (
              <SkeletonBox key={box} />
            ))}
          </div>
        </>
      )}
    </Page>
  )
}

function Sections({ connections }: { connections: Connections }) {
  const slug = useSlug()
  const params = { path: { slug } }
  const settings = useQuery(read('/v1/shops/{slug}/settings/carriers/providers', { params })).data
  const integrations = useQuery(read('/v1/shops/{slug}/integrations', { params })).data?.integrations
  const sandbox = settings?.sandbox.status ?? 'disabled'
  return (
    <>
      <Section title={t('connect.section.shop')} text={t('connect.section.shop_text')}>
        {byState(connections.shop_systems).map((system) => (
          <Connection
            key={system.name}
            name={system.name}
            state={system.state}
            to={`/$slug/connect/${system.name}`}
            text={<SystemText system={system} />}
          />
        ))}
      </Section>
      <p className="soft">
        {rich('connect.other_system', {
          keys: (
            <Link to="/$slug/settings/keys" params={{ slug }}>
              {t('connect.other_system_link')}
            </Link>
          ),
        })}
      </p>
      <Section title={t('connect.section.providers')} text={t('connect.section.providers_text')}>
        {byState(connections.providers).map((account) => (
          <Connection
            key={account.name}
            name={account.name}
            state={account.state}
            to={`/$slug/connect/providers/${account.name}`}
            text={<ProviderText account={account} status={settings?.[account.name].status} />}
          />
        ))}
        <Connection
          name="sandbox"
          state={sandbox === 'disabled' ? 'none' : 'connected'}
          to="/$slug/connect/providers/sandbox"
          text={t('connect.about.sandbox')}
        />
      </Section>
      <Section title={t('connect.section.mail')} text={t('connect.section.mail_text')}>
        <Connection
          name="smtp"
          state={connections.mail.state}
          to="/$slug/connect/smtp"
          text={
            <MailText
              mail={connections.mail}
              isOn={integrations?.some(({ integration, is_on }) => integration === 'smtp' && is_on) ?? false}
            />
          }
        />
      </Section>
      <Section title={t('connect.section.marketing')} text={t('connect.section.marketing_text')}>
        {byState(connections.marketing).map((account) => (
          <Connection
            key={account.name}
            name={account.name}
            state={account.state}
            to={`/$slug/connect/marketing/${account.name}`}
            text={
              <MarketingText
                account={account}
                overview={integrations?.find(({ integration }) => integration === account.name)}
              />
            }
          />
        ))}
      </Section>
    </>
  )
}

const order: readonly State[] = ['failing', 'connected', 'incomplete', 'none']

/** The rows by state: systems in use come first. */
function byState<Row extends { state: State }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => order.indexOf(left.state) - order.indexOf(right.state))
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="stack" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="soft">{text}</p>
      </div>
      <ul className="connections" data-list>
        {children}
      </ul>
    </section>
  )
}

interface ConnectionProps {
  name: string
  state: State
  to: string
  text: ReactNode
}

function Connection({ name, state, to, text }: ConnectionProps) {
  const slug = useSlug()
  return (
    <li className="card connection">
      <div className="row apart">
        <h3>{nameOf(name)}</h3>
        <StateBadge state={state} />
      </div>
      <p className="soft">{text}</p>
      <div>
        <ButtonLink
          isSmall
          to={to}
          params={{ slug }}
          aria-label={t(`connect.act_on.${state}`, { system: nameOf(name) })}
        >
          {t(`connect.act.${state}`)}
        </ButtonLink>
      </div>
    </li>
  )
}

function SystemText({ system }: { system: ShopSystem }) {
  if (system.state === 'failing' && system.problem) {
    const { key, message, reason, use_address: address } = system.problem
    if (key === 'webhooks_disabled') return t('connect.webhooks.disabled', { system: nameOf(system.name) })
    return reasonHint(reason, address, system.name) ?? (problemHint(key, system.name) || message)
  }
  if (system.state === 'connected' && system.last_received_at !== null) {
    return rich('connect.system_healthy', {
      time: <RelativeTime at={system.last_received_at} />,
      orders: t('connect.orders_count', { count: system.received }),
    })
  }
  if (system.state === 'connected') return t('connect.system_quiet')
  return t(system.state === 'incomplete' ? 'connect.begun' : `connect.about.${system.name}`)
}

function ProviderText({ account, status }: { account: ProviderAccount; status: string | undefined }) {
  if (account.state === 'failing') return t('connect.provider_failing')
  if (!account.has_credentials) return t(`connect.about.${account.name}`)
  if (status === 'live') return t('connect.provider_live')
  return t(status === 'testing' ? 'connect.provider_testing' : 'connect.switched_off')
}

function MailText({ mail, isOn }: { mail: MailConnection; isOn: boolean }) {
  if (mail.state === 'failing') return t('connect.marketing_failing')
  if (mail.source === null) return t('messages.about.smtp')
  if (isOn) return t('connect.smtp.is_on')
  return t(mail.source === 'shop' ? 'connect.switched_off' : 'connect.smtp.of_installation')
}

interface MarketingTextProps {
  account: MarketingAccount
  overview: Schemas['IntegrationOverview'] | undefined
}

function MarketingText({ account, overview }: MarketingTextProps) {
  if (account.state === 'failing') return t('connect.marketing_failing')
  if (!account.has_credentials) return t(`messages.about.${account.name}`)
  return t(overview?.is_on ? 'connect.marketing_on' : 'connect.switched_off')
}
