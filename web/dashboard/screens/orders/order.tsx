import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Reply, read, refreshMs } from '../../app/api.ts'
import { Notes } from '../../app/notes.tsx'
import { proofLine } from '../../app/proof.tsx'
import { rememberedList } from '../../app/remembered-list.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { PhaseBadge, useCarrierName } from '../../app/words.tsx'
import { Card, Columns, Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { daysOf } from '../shipments/days.ts'
import { OrderStatus } from './orders.tsx'
import { CustomerPageLink, ParcelActions } from './parcel-actions.tsx'
import { PromiseCard } from './promise.tsx'
import { RouteMap } from './route-map.tsx'
import { ClaimsCard, CustomerCard, GoodsCard } from './side.tsx'
import { LastMessage, Story } from './story.tsx'
import { WithdrawalCard } from './withdrawal.tsx'

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
