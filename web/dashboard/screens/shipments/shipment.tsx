import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { read, refreshMs } from '../../app/api.ts'
import { Notes } from '../../app/notes.tsx'
import { ProofCard } from '../../app/proof.tsx'
import { rememberedList } from '../../app/remembered-list.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { PhaseBadge, useCarrierName } from '../../app/words.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { formatTime } from '../../kit/format.ts'
import { Card, Columns, Facts, Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { OrderStory, parcelOf } from '../orders/order.tsx'
import { CustomerPageLink, ParcelActions } from '../orders/parcel-actions.tsx'
import { RouteMap } from '../orders/route-map.tsx'
import { ClaimsCard, CustomerCard } from '../orders/side.tsx'
import { daysOf } from './days.ts'

/** One parcel: where it is, where it was, and the messages to the customer. */
export function Shipment() {
  const slug = useSlug()
  const { shipmentId } = useParams({ from: '/signed-in/$slug/shipments/$shipmentId' })
  const isEditor = useMay('editor')
  const carrierName = useCarrierName()
  const query = useQuery({
    ...read('/v1/shops/{slug}/shipments/{shipment_id}', { params: { path: { slug, shipment_id: shipmentId } } }),
    refetchInterval: refreshMs,
  })
  const parcel = query.data
  const orderId = parcel?.order_id ?? ''
  const { data: order } = useQuery({
    ...read('/v1/shops/{slug}/orders/{order_id}', { params: { path: { slug, order_id: orderId } } }),
    enabled: orderId !== '',
  })
  const last = parcel?.events.at(-1)
  const number = parcel?.carrier.tracking_number
  return (
    <Page
      title={parcel ? (number ?? t('shipments.draft')) : t('shipments.parcel')}
      back={
        <Link to="/$slug/shipments" params={{ slug }} search={rememberedList('shipments') as never}>
          {t('shipments.title')}
        </Link>
      }
      aside={parcel && <PhaseBadge phase={parcel.phase} flag={parcel.flag} />}
      lead={
        last && (
          <>
            {last.event_strings.list_label} · <RelativeTime at={last.time} />
          </>
        )
      }
      actions={
        parcel && (
          <>
            {isEditor && <ParcelActions parcel={parcelOf(parcel)} />}
            <CustomerPageLink orderId={parcel.order_id} />
          </>
        )
      }
    >
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <SkeletonLines count={8} />}
      {parcel && (
        <Columns
          main={<OrderStory orderId={parcel.order_id} trackings={[parcel]} only={shipmentId} />}
          side={
            <>
              <Card title={t('shipments.parcel')}>
                <Facts
                  facts={[
                    [
                      t('orders.order'),
                      <Link key="order" to="/$slug/orders/$orderId" params={{ slug, orderId: parcel.order_id }}>
                        {order?.order_name ?? parcel.order_number}
                      </Link>,
                    ],
                    [t('shipments.carrier'), carrierName(parcel.carrier.carrier_reference)],
                    [
                      t('shipments.number'),
                      number && (
                        <span className="row tight-row">
                          {parcel.carrier.tracking_url ? (
                            <a
                              href={parcel.carrier.tracking_url}
                              target="_blank"
                              rel="noopener noreferrer"
                              className="wrap-anywhere"
                            >
                              {number}
                            </a>
                          ) : (
                            <span className="wrap-anywhere">{number}</span>
                          )}
                          <CopyButton value={number} isIconOnly />
                        </span>
                      ),
                    ],
                    [
                      t('shipments.expected'),
                      parcel.estimated_arrival &&
                        t(
                          parcel.estimated_arrival.source === 'carrier'
                            ? 'shipments.says_carrier'
                            : 'shipments.says_history',
                          {
                            days: daysOf(parcel.estimated_arrival),
                          },
                        ),
                    ],
                    [
                      t('shipments.direction'),
                      t(parcel.is_return ? 'shipments.is_return_one' : 'shipments.is_outward_one'),
                    ],
                    [t('shipments.pickup'), parcel.pickup?.name],
                    [t('shipments.updated'), formatTime(parcel.updated_at)],
                  ]}
                />
              </Card>
              {parcel.proof_of_delivery && <ProofCard proof={parcel.proof_of_delivery} />}
              <RouteMap shipmentId={shipmentId} />
              {order && <CustomerCard order={order} />}
              <ClaimsCard orderId={parcel.order_id} shipmentId={shipmentId} />
              <Notes orderId={parcel.order_id} shipmentId={shipmentId} />
            </>
          }
        />
      )}
    </Page>
  )
}
