import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Reply, read, refreshMs } from '../../app/api.ts'
import { Notes } from '../../app/notes.tsx'
import { basisWords, PromiseBadge, type PromisedDelivery, promiseDay, promiseDays } from '../../app/promise-words.tsx'
import { proofLine } from '../../app/proof.tsx'
import { rememberedList } from '../../app/remembered-list.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { PhaseBadge, useCarrierName } from '../../app/words.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { formatDate, formatShare } from '../../kit/format.ts'
import { Card, Columns, Facts, Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { daysOf } from '../shipments/days.ts'
import { OrderStatus } from './orders.tsx'
import { CustomerPageLink, ParcelActions } from './parcel-actions.tsx'
import { RouteMap } from './route-map.tsx'
import { ClaimsCard, CustomerCard, GoodsCard } from './side.tsx'
import { LastMessage, Story } from './story.tsx'

type OrderDetail = Reply<'/v1/shops/{slug}/orders/{order_id}'>
type Tracking = OrderDetail['trackings'][number]

/** One order: who and what, where its parcels are, and everything that happened. */
export function Order() {
  const slug = useSlug()
  const { orderId } = useParams({ from: '/signed-in/$slug/orders/$orderId' })
  const isEditor = useMay('editor')
  const path = { slug, order_id: orderId }
  const query = useQuery({
    ...read('/v1/shops/{slug}/orders/{order_id}', { params: { path } }),
    refetchInterval: refreshMs,
  })
  const order = query.data
  const sent = order?.trackings.filter(({ carrier }) => carrier.tracking_number !== null) ?? []
  const [only] = sent.length === 1 ? sent : []
  return (
    <Page
      title={order ? t('orders.order_named', { name: order.order_name ?? order.order_number }) : t('orders.order')}
      back={
        <Link to="/$slug/orders" params={{ slug }} search={rememberedList('orders') as never}>
          {t('orders.title')}
        </Link>
      }
      aside={order && <OrderStatus order={order} />}
      lead={
        order && (
          <>
            {order.address?.name ?? order.email_id ?? t('orders.erased')} · <RelativeTime at={order.order_placed_at} />
          </>
        )
      }
      actions={
        order && (
          <>
            {isEditor && only && <ParcelActions parcel={parcelOf(only)} />}
            <CustomerPageLink orderId={orderId} />
          </>
        )
      }
    >
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <SkeletonLines count={8} />}
      {order && (
        <Columns
          main={
            <>
              <Card title={t('orders.parcels')} isFlush>
                <Parcels order={order} />
              </Card>
              <OrderStory orderId={orderId} trackings={order.trackings} />
            </>
          }
          side={
            <>
              <PromiseCard promise={order.promised_delivery} />
              <CustomerCard order={order} />
              {only && <RouteMap shipmentId={only.uuid} />}
              <ClaimsCard orderId={orderId} />
              <WithdrawalCard orderId={orderId} />
              <Notes orderId={orderId} />
              <GoodsCard order={order} />
            </>
          }
        />
      )}
    </Page>
  )
}

export function parcelOf(tracking: Tracking) {
  return {
    shipmentId: tracking.uuid,
    orderId: tracking.order_id,
    trackingNumber: tracking.carrier.tracking_number,
    carrierReference: tracking.carrier.carrier_reference,
  }
}

function Parcels({ order }: { order: OrderDetail }) {
  const slug = useSlug()
  const carrierName = useCarrierName()
  if (order.trackings.length === 0) return <Empty title={t('orders.no_parcels')} />
  return (
    <ul className="parcels" data-list>
      {order.trackings.map((tracking) => (
        <li key={tracking.uuid} className="parcel-row">
          <div className="stack tight grow">
            <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: tracking.uuid }} className="strong">
              {tracking.carrier.tracking_number ?? t('shipments.draft')}
            </Link>
            <span className="small soft">
              {[
                tracking.is_return ? t('shipments.is_return_one') : undefined,
                tracking.carrier.tracking_number === null ? undefined : carrierName(tracking.carrier.carrier_reference),
                tracking.estimated_arrival && tracking.phase !== 'delivered'
                  ? t('shipments.expected_on', { days: daysOf(tracking.estimated_arrival) })
                  : undefined,
                tracking.proof_of_delivery ? proofLine(tracking.proof_of_delivery) : undefined,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </div>
          <div className="stack tight end-text">
            <PhaseBadge phase={tracking.phase} flag={tracking.flag} />
            <span className="small soft">
              <RelativeTime at={tracking.events.at(-1)?.time ?? tracking.updated_at} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

interface OrderStoryProps {
  orderId: string
  trackings: readonly Tracking[]
  /** Only what concerns this parcel. */
  only?: string
}

/** The story of an order, or of one of its parcels. */
export function OrderStory({ orderId, trackings, only }: OrderStoryProps) {
  const slug = useSlug()
  const query = useQuery({
    ...read('/v1/shops/{slug}/orders/{order_id}/timeline', { params: { path: { slug, order_id: orderId } } }),
    refetchInterval: refreshMs,
  })
  const entries = (query.data?.entries ?? []).filter(
    ({ shipment_id }) => only === undefined || shipment_id === null || shipment_id === only,
  )
  const names = new Map(trackings.map(({ uuid, carrier }) => [uuid, carrier.tracking_number ?? t('shipments.draft')]))
  const hasSeveral = only === undefined && trackings.length > 1
  return (
    <Card title={t('timeline.title')}>
      {query.isPending && <SkeletonLines count={6} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data && <LastMessage entries={entries} />}
      {query.data && <Story entries={entries} parcelName={hasSeveral ? (id) => names.get(id) : undefined} />}
    </Card>
  )
}

/** The promise to the customer, its basis and its outcome; nothing without a promise. */
function PromiseCard({ promise }: { promise: PromisedDelivery | null }) {
  if (promise === null) return null
  const { latest, likeliest, method, percentile, share_by_latest, sample_size, basis, state, chance, delivered_on } =
    promise
  const isOpen = state === 'open' || state === 'at_risk'
  return (
    <Card title={t('promise.title')} aside={<PromiseBadge state={state} />}>
      <p className="strong">{promiseDays(promise)}</p>
      <p>{t(`promise.words_${wordsFor(promise)}`, { day: promiseDay(delivered_on ?? latest) })}</p>
      <Facts
        facts={[
          [t('promise.chance'), isOpen && chance !== null ? formatShare(chance) : undefined],
          [t('promise.method'), method],
          [t('promise.likeliest'), likeliest && promiseDay(likeliest)],
          [t('promise.percentile'), percentile === null ? undefined : formatShare(percentile)],
          [
            t('promise.basis'),
            basis === null
              ? t('promise.basis_given')
              : [
                  basisWords(basis, sample_size ?? 0),
                  share_by_latest !== null && t('promise.share', { share: formatShare(share_by_latest) }),
                ]
                  .filter(Boolean)
                  .join('; '),
          ],
        ]}
      />
    </Card>
  )
}

function wordsFor({ state, delivered_on }: PromisedDelivery) {
  return state === 'broken' && delivered_on === null ? 'overdue' : state
}

const tones: Record<'not_started' | 'running' | 'ended', Tone> = {
  not_started: 'info',
  running: 'info',
  ended: 'neutral',
}

/** Until when the customer can withdraw from the contract. Nothing if the shop does not offer that. */
function WithdrawalCard({ orderId }: { orderId: string }) {
  const slug = useSlug()
  const { data } = useQuery(
    read('/v1/shops/{slug}/orders/{order_id}/withdrawal', { params: { path: { slug, order_id: orderId } } }),
  )
  if (data === undefined || (!data.is_enabled && data.withdrawals.length === 0)) return null
  const { state, last_day, reached_on, exempt_items, withdrawals } = data
  const day = (date: string) => formatDate(`${date}T12:00:00`)
  return (
    <Card
      title={t('orders.withdrawal')}
      aside={<Badge tone={tones[state]}>{t(`orders.withdrawal_state_${state}`)}</Badge>}
    >
      <Facts
        facts={[
          [t('orders.withdrawal_last_day'), last_day === null ? t('orders.withdrawal_unknown') : day(last_day)],
          [t('orders.withdrawal_reached'), reached_on && day(reached_on)],
        ]}
      />
      {exempt_items > 0 && <p className="small soft">{t('orders.withdrawal_exempt', { count: exempt_items })}</p>}
      {withdrawals.length > 0 && (
        <ul className="stack tight">
          {withdrawals.map(({ uuid, stated_at, is_late }) => (
            <li key={uuid} className="row apart">
              <Link to="/$slug/claims/$uuid" params={{ slug, uuid }}>
                {rich('orders.withdrawal_stated', { time: <RelativeTime at={stated_at} /> })}
              </Link>
              {is_late && <Badge tone="late">{t('orders.withdrawal_late')}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
