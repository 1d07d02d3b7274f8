import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../app/api.ts'
import { ProofCard } from '../../app/proof.tsx'
import { useSlug } from '../../app/session.ts'
import { PhaseBadge } from '../../app/words.tsx'
import { Card, Facts } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import type { Claim } from './query.ts'

const shownEvents = 4

/** The carrier's view of the parcel: whether it arrived, who took it, and what happened on the way. */
export function ParcelCard({ claim }: { claim: Claim }) {
  const slug = useSlug()
  const path = { slug, shipment_id: claim.shipment_id }
  const { data: parcel, isError } = useQuery(read('/v1/shops/{slug}/shipments/{shipment_id}', { params: { path } }))
  const events = (parcel?.events ?? []).toSorted((left, right) => Date.parse(right.time) - Date.parse(left.time))
  const proof = parcel?.proof_of_delivery
  return (
    <>
      {proof && <ProofCard proof={proof} />}
      <Card title={t('claims.parcel')} aside={parcel && <PhaseBadge phase={parcel.phase} flag={parcel.flag} />}>
        {isError ? (
          <p className="soft">{t('claims.no_parcel')}</p>
        ) : (
          <Facts
            facts={[
              [t('shipments.carrier'), claim.carrier_name],
              [
                t('shipments.number'),
                <Link
                  key="parcel"
                  to="/$slug/shipments/$shipmentId"
                  params={{ slug, shipmentId: claim.shipment_id }}
                  className="wrap-anywhere"
                >
                  {claim.tracking_number ?? t('shipments.draft')}
                </Link>,
              ],
            ]}
          />
        )}
        {!parcel && !isError && <SkeletonLines />}
        {events.length > 0 && (
          <ol className="claim-events">
            {events.slice(0, shownEvents).map((event) => (
              <li key={`${event.time} ${event.event_key}`} className="row apart">
                <span>
                  {event.event_strings.list_label}
                  {typeof event.location.city === 'string' && <span className="soft"> · {event.location.city}</span>}
                </span>
                <span className="soft small">
                  <RelativeTime at={event.time} />
                </span>
              </li>
            ))}
          </ol>
        )}
      </Card>
    </>
  )
}
