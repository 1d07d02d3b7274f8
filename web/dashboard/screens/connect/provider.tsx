import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { api, read, refresh, refreshMs } from '../../app/api.ts'
import { type CredentialSystem, hasCredentialForm } from '../../app/credential-fields.ts'
import { Credentials } from '../../app/credentials.tsx'
import { useSlug } from '../../app/session.ts'
import { CopyField } from '../../kit/copy.tsx'
import { ChoiceField } from '../../kit/field.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Banner, Problem } from '../../kit/problem.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Step, Stepper } from '../../kit/stepper.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { LiveCheck } from './check.tsx'
import { type ProviderName, type ProviderSettings, type State, useCheck, useConnections } from './data.ts'
import { Instructions } from './instructions.tsx'
import { GuidePage, LoadingSteps, useStep } from './system-page.tsx'
import { nameOf, StateBadge } from './words.tsx'

type Settings = Schemas['TrackingProviders']

/** The guide through connecting a tracking provider. */
export function Provider() {
  const slug = useSlug()
  const { name } = useParams({ from: '/signed-in/$slug/connect/providers/$name' })
  const query = useQuery({
    ...read('/v1/shops/{slug}/settings/carriers/providers', { params: { path: { slug } } }),
    refetchInterval: refreshMs,
  })
  const title = t('connect.connect_system', { system: nameOf(name) })
  if (query.data && isProvider(name, query.data)) return <Guide key={name} name={name} settings={query.data[name]} />
  return (
    <GuidePage title={title}>
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

function isProvider(name: string, settings: Settings): name is ProviderName {
  return Object.hasOwn(settings, name)
}

function Guide({ name, settings }: { name: ProviderName; settings: ProviderSettings }) {
  const { step, goTo } = useStep()
  const connections = useConnections()
  const known = connections.data?.providers.find((account) => account.name === name)
  const state: State =
    name === 'sandbox' ? (settings.status === 'disabled' ? 'none' : 'connected') : (known?.state ?? 'none')
  const title = t('connect.connect_system', { system: nameOf(name) })
  const on: Step = {
    name: 'on',
    title: t('connect.provider.on'),
    isDone: settings.status !== 'disabled',
    summary: t(`connect.provider.status_${settings.status}`),
    children: <ProviderSwitch name={name} settings={settings} />,
  }
  return (
    <GuidePage title={title} aside={<StateBadge state={state} />} lead={t(`connect.about.${name}`)}>
      <Stepper
        label={title}
        open={step}
        onOpen={goTo}
        steps={hasCredentials(name) ? [...accountSteps(name, settings, state), on] : [on]}
      />
    </GuidePage>
  )
}

function hasCredentials(name: ProviderName): name is ProviderName & CredentialSystem {
  return hasCredentialForm(name)
}

function accountSteps(name: ProviderName & CredentialSystem, settings: ProviderSettings, state: State): Step[] {
  return [
    {
      name: 'credentials',
      title: t('connect.credentials'),
      isDone: settings.has_credentials,
      summary: t(settings.has_credentials ? 'connect.credentials_stored' : 'connect.credentials_summary'),
      children: (
        <>
          <Instructions name={name} />
          <Credentials system={name} onSaved={() => {}} />
          {settings.webhook_url !== null && (
            <div className="stack tight">
              <p className="strong">{t('connect.provider.push')}</p>
              <CopyField label={t('connect.provider.push')} value={settings.webhook_url} />
              <p className="help">{t('connect.provider.push_help', { system: nameOf(name) })}</p>
            </div>
          )}
        </>
      ),
    },
    {
      name: 'test',
      title: t('connect.test'),
      isDone: state === 'connected',
      isWrong: state === 'failing',
      summary: t(state === 'connected' ? 'connect.test_done' : 'connect.test_summary'),
      children: <TestCall name={name} settings={settings} />,
    },
  ]
}

function TestCall({ name, settings }: { name: Exclude<ProviderName, 'sandbox'>; settings: ProviderSettings }) {
  const check = useCheck(name)
  if (!settings.has_credentials) return <p className="soft">{t('connect.needs_credentials')}</p>
  return (
    <>
      <p>{t('connect.test_text', { system: nameOf(name) })}</p>
      <LiveCheck system={name} check={check} />
    </>
  )
}

const statuses = ['disabled', 'testing', 'live'] as const
type Status = (typeof statuses)[number]

/** Off, recorded without notifying anybody, or live. A change takes effect at once, and can be undone. */
function ProviderSwitch({ name, settings }: { name: ProviderName; settings: ProviderSettings }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const params = { path: { slug } }
  const change = async (status: Status) => {
    await api.patch('/v1/shops/{slug}/settings/carriers/providers', { params, body: { [name]: { status } } })
    if (status !== 'disabled') await followParcels()
    await refresh(queryClient, '/v1/shops/{slug}/settings', '/v1/shops/{slug}/attention')
  }
  /** Unless the shop has this on, no provider is queried at all. */
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
