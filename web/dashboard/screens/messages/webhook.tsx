import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, read, refresh, refreshMs } from '../../app/api.ts'
import { toDraftCondition } from '../../app/conditions/draft.ts'
import { useConditionWords } from '../../app/conditions/words.ts'
import { useFilterWords } from '../../app/event-picker.tsx'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { formatList } from '../../kit/format.ts'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.tsx'
import { Card, Facts, Page } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { rich, t } from '../../texts/texts.ts'
import { DeliveryList } from './delivery-list.tsx'
import { DeleteEndpoint, RecoverDeliveries, RotateSecret } from './endpoint-actions.tsx'
import { EditEndpoint } from './endpoint-form.tsx'
import { FailureSentence, HealthBadge, HealthFigures } from './health.tsx'
import { LatestAttempt } from './latest-attempt.tsx'
import { ReplayDeliveries } from './replay.tsx'
import { shownAddress } from './shown-address.ts'
import { Verification } from './verification.tsx'

type Endpoint = Schemas['WebhookEndpoint']

export function Webhook() {
  const slug = useSlug()
  const { uuid } = useParams({ from: '/signed-in/$slug/messages/webhooks/$uuid' })
  const query = useQuery({
    ...read('/v1/shops/{slug}/webhooks/{uuid}', { params: { path: { slug, uuid } } }),
    refetchInterval: refreshMs,
  })
  const back = (
    <Link to="/$slug/messages/webhooks" params={{ slug }}>
      {t('nav.webhooks')}
    </Link>
  )
  if (query.data) return <EndpointPage endpoint={query.data} back={back} />
  return (
    <Page title={t('messages.endpoint')} back={back}>
      {query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <>
          <SkeletonLines />
          <SkeletonBox rows={6} />
        </>
      )}
    </Page>
  )
}

type Open = 'edit' | 'rotate' | 'recover' | 'replay' | 'delete'

function EndpointPage({ endpoint, back }: { endpoint: Endpoint; back: React.ReactNode }) {
  const { uuid, url, health, status, circuit } = endpoint
  const search = useSearch({ from: '/signed-in/$slug/messages/webhooks/$uuid' })
  const navigate = useNavigate({ from: '/$slug/messages/webhooks/$uuid' })
  const [open, setOpen] = useState<Open | undefined>()
  const close = () => setOpen(undefined)
  const test = useTestEvent(uuid)
  const pause = usePause(endpoint)
  const isActive = status === 'active'
  return (
    <Page
      title={shownAddress(url).replace(/^https?:\/\//, '')}
      back={back}
      aside={<HealthBadge health={health} isEndpoint isWaiting={circuit !== null} />}
      lead={endpoint.description}
      actions={
        <>
          <Button variant="primary" icon="send" isBusy={test.isPending} onClick={() => test.mutate()}>
            {t('messages.send_test')}
          </Button>
          <Menu label={t('messages.more')} icon="more">
            <MenuItem icon="settings" onSelect={() => setOpen('edit')}>
              {t('messages.edit_endpoint')}
            </MenuItem>
            <MenuItem icon="clock" onSelect={() => pause.mutate(isActive ? 'inactive' : 'active')}>
              {t(isActive ? 'messages.pause' : 'messages.resume')}
            </MenuItem>
            <MenuItem icon="key" onSelect={() => setOpen('rotate')}>
              {t('messages.rotate')}
            </MenuItem>
            <MenuItem icon="refresh" onSelect={() => setOpen('recover')}>
              {t('messages.recover')}
            </MenuItem>
            <MenuItem icon="send" onSelect={() => setOpen('replay')}>
              {t('messages.replay')}
            </MenuItem>
            <MenuLine />
            <MenuItem icon="trash" isDangerous onSelect={() => setOpen('delete')}>
              {t('messages.delete_endpoint')}
            </MenuItem>
          </Menu>
        </>
      }
    >
      {circuit && (
        <CircuitBanner endpoint={endpoint} circuit={circuit} isTrying={test.isPending} onTry={() => test.mutate()} />
      )}
      {health.state === 'failing' && !circuit && (
        <Banner tone="wrong" title={t('messages.failing_title')}>
          <p>
            <FailureSentence health={health} isEndpoint />
          </p>
        </Banner>
      )}
      {health.state === 'disabled' && (
        <Banner
          tone="late"
          title={t('messages.paused_title')}
          action={<Button onClick={() => pause.mutate('active')}>{t('messages.resume')}</Button>}
        >
          <p>{t('messages.paused_text')}</p>
        </Banner>
      )}
      <HealthFigures health={health} />
      <LatestAttempt uuid={uuid} />
      <div className="stack">
        <h2>{t('messages.log')}</h2>
        <DeliveryList
          receiver={{ webhook_id: uuid }}
          search={search}
          onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
          empty={
            <Empty
              title={t('messages.no_deliveries')}
              action={
                <Button icon="send" isBusy={test.isPending} onClick={() => test.mutate()}>
                  {t('messages.send_test')}
                </Button>
              }
            >
              {t('messages.no_deliveries_text')}
            </Empty>
          }
        />
      </div>
      <div className="pair">
        <EndpointFacts endpoint={endpoint} />
        <Verification />
      </div>
      {open === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
      {open === 'recover' && <RecoverDeliveries endpoint={endpoint} onClose={close} />}
      {open === 'replay' && <ReplayDeliveries uuid={uuid} onClose={close} />}
      {open === 'delete' && <DeleteEndpoint endpoint={endpoint} onClose={close} />}
    </Page>
  )
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const filterWords = useFilterWords()
  const conditionWords = useConditionWords()
  const conditions = endpoint.conditions.map((condition) => conditionWords(toDraftCondition(condition)))
  const headers = endpoint.headers.map(({ name }) => name)
  return (
    <Card title={t('messages.about_endpoint')}>
      <Facts
        facts={[
          [
            t('messages.url'),
            <span key="url" className="row">
              <code className="grow">{shownAddress(endpoint.url)}</code>
              <CopyButton value={endpoint.url} isIconOnly />
            </span>,
          ],
          [t('messages.events'), filterWords(endpoint.enabled_events)],
          ...(conditions.length > 0 ? [[t('messages.only_if'), formatList(conditions)] as const] : []),
          ...(headers.length > 0 ? [[t('messages.own_headers'), headers.join(', ')] as const] : []),
          [t('messages.since'), <RelativeTime key="since" at={endpoint.created_at} />],
          [t('messages.changed_at'), <RelativeTime key="changed" at={endpoint.updated_at} />],
        ]}
      />
    </Card>
  )
}

function useTestEvent(uuid: string) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: () => api.post('/v1/shops/{slug}/webhooks/{uuid}/test', { params: { path: { slug, uuid } } }),
    async onSuccess() {
      toasts.done(t('messages.test_sent'))
      await refreshMessages(queryClient)
      // The response takes a moment; then the page has it.
      setTimeout(() => void refreshMessages(queryClient), answerMs)
    },
    onError: toasts.failed,
  })
}

const answerMs = 2_500

function refreshMessages(queryClient: ReturnType<typeof useQueryClient>): Promise<void> {
  return refresh(queryClient, '/v1/shops/{slug}/webhooks', '/v1/shops/{slug}/deliveries')
}

function usePause({ uuid }: Endpoint) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const change = (status: 'active' | 'inactive') =>
    api.patch('/v1/shops/{slug}/webhooks/{uuid}', { params: { path: { slug, uuid } }, body: { status } })
  return useMutation({
    mutationFn: change,
    async onSuccess(_reply, status) {
      await refresh(queryClient, '/v1/shops/{slug}/webhooks')
      const other = status === 'active' ? 'inactive' : 'active'
      toasts.done(t(status === 'active' ? 'messages.resumed' : 'messages.paused'), async () => {
        await change(other)
        await refresh(queryClient, '/v1/shops/{slug}/webhooks')
      })
    },
    onError: toasts.failed,
  })
}

interface CircuitBannerProps {
  endpoint: Schemas['WebhookEndpoint']
  circuit: Schemas['EndpointCircuit']
  isTrying: boolean
  onTry: () => void
}

/** The endpoint kept failing, and its messages wait: why, when the next one is tried, and a way to try now. */
function CircuitBanner({ endpoint: { health }, circuit, isTrying, onTry }: CircuitBannerProps) {
  const isDue = new Date(circuit.next_attempt_at) <= new Date()
  return (
    <Banner tone="wrong" title={t('messages.waiting_title')}>
      <div className="stack">
        <p>
          <FailureSentence health={health} isEndpoint />
        </p>
        <p>
          {t('messages.waiting_text')}{' '}
          {isDue
            ? t('messages.next_try_due')
            : rich('messages.next_try', { time: <RelativeTime at={circuit.next_attempt_at} /> })}
        </p>
        <div className="row">
          <Button icon="send" isBusy={isTrying} onClick={onTry}>
            {t('messages.try_now')}
          </Button>
        </div>
      </div>
    </Banner>
  )
}
