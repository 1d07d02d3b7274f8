import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Reply, read } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { PhaseBadge } from '../../app/words.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Card, Page } from '../../kit/page.tsx'
import { Banner, Problem, wordsOf } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { UpdatesOff } from '../carriers/providers.tsx'
import { CustomerPageLink } from '../orders/parcel-actions.tsx'
import { Story } from '../orders/story.tsx'
import { type Play, readNumber, stepMs, usePlay } from './play.ts'
import { SandboxOff } from './who-is-told.tsx'

type Order = Reply<'/v1/shops/{slug}/orders/{order_id}'>

/** Often enough to see each scan as it comes, and no oftener than once per second. */
function intervalOf(step: string | undefined): number {
  return Math.min(5_000, Math.max(1_000, stepMs(step ?? '10S') / 2))
}

/** A parcel of the sandbox on its way: what happens, who is notified, and what the customer sees. */
export function Journey() {
  const slug = useSlug()
  const mayPlay = useMay('editor')
  const { orderId } = useParams({ from: '/signed-in/$slug/sandbox/$orderId' })
  const path = { slug, order_id: orderId }
  const order = useQuery({
    ...read('/v1/shops/{slug}/orders/{order_id}', { params: { path } }),
    refetchInterval: ({ state }) => intervalOf(numberOf(state.data)?.step),
  })
  const number = numberOf(order.data)
  const timeline = useQuery({
    ...read('/v1/shops/{slug}/orders/{order_id}/timeline', { params: { path } }),
    refetchInterval: intervalOf(number?.step),
  })
  const again = usePlay()
  const play = order.data && playOf(order.data)
  const [tracking] = order.data?.trackings ?? []
  const entries = timeline.data?.entries ?? []
  return (
    <Page
      title={order.data?.order_number ?? t('nav.sandbox')}
      aside={tracking && <PhaseBadge phase={tracking.phase} />}
      lead={number && `${t(`sandbox.journeys.${number.journey}`)} · ${paceOf(number.step)}`}
      back={
        <Link to="/$slug/sandbox" params={{ slug }}>
          {t('nav.sandbox')}
        </Link>
      }
      actions={
        <>
          <ButtonLink to="/$slug/orders/$orderId" params={{ slug, orderId }}>
            {t('sandbox.to_order')}
          </ButtonLink>
          <CustomerPageLink orderId={orderId} />
          {mayPlay && play && (
            <Button variant="primary" icon="refresh" isBusy={again.isPending} onClick={() => again.mutate(play)}>
              {t('sandbox.again')}
            </Button>
          )}
        </>
      }
    >
      <UpdatesOff />
      <SandboxOff />
      {again.isError && <Banner tone="wrong" title={wordsOf(again.error)} />}
      <div className="journey">
        <Card title={t('sandbox.what_happened')}>
          {timeline.isPending ? (
            <SkeletonLines count={6} />
          ) : timeline.isError ? (
            <Problem error={timeline.error} retry={() => void timeline.refetch()} />
          ) : (
            <div aria-live="polite">
              <Story entries={entries} />
            </div>
          )}
        </Card>
        <div className="journey-page">
          <Card title={t('sandbox.customer_sees')}>
            {timeline.isPending ? (
              <SkeletonBox rows={6} />
            ) : (
              <CustomerPage orderId={orderId} version={entries.filter(({ kind }) => kind === 'event').length} />
            )}
          </Card>
        </div>
      </div>
    </Page>
  )
}

/** The tracking page in a phone. It is loaded again with each scan, and looking at it here counts as no visit. */
function CustomerPage({ orderId, version }: { orderId: string; version: number }) {
  const slug = useSlug()
  const address = `/v1/shops/${encodeURIComponent(slug)}/orders/${encodeURIComponent(orderId)}/page-preview?events=${version}`
  return (
    <div className="phone">
      {/* Scripts stay off, and nothing in it can be followed. The same origin, so that it is painted with the page. */}
      <iframe title={t('sandbox.customer_sees')} src={address} sandbox="allow-same-origin" />
    </div>
  )
}

function numberOf(order: Order | undefined) {
  return readNumber(order?.trackings[0]?.carrier.tracking_number ?? null)
}

/** The same once more: the customer, the products, the journey and the speed. */
function playOf(order: Order): Play | undefined {
  const number = numberOf(order)
  if (number === undefined) return undefined
  return {
    ...number,
    name: order.address?.name ?? '',
    email: order.email_id ?? '',
    country: order.address?.country_code ?? 'DE',
    items: (order.products ?? []).map(({ title, quantity }) => ({ title: title ?? '', quantity: quantity ?? 1 })),
  }
}

/** "a scan every 10 seconds" */
function paceOf(step: string): string {
  const count = Number.parseInt(step, 10)
  if (step.endsWith('S')) return t('sandbox.every_second', { count })
  return t(step.endsWith('M') ? 'sandbox.every_minute' : 'sandbox.every_hour', { count })
}
