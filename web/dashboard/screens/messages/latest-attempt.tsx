import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read, readList, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { useEventWords } from '../../app/words.tsx'
import { Card } from '../../kit/page.tsx'
import { SkeletonBox } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { AttemptExchange, type DeliveryDetail } from './exchange.tsx'
import { ResendButton } from './resend.tsx'
import { StatusBadge } from './status.tsx'

/** The newest message of an endpoint: request, response, the reason as text, and a button that sends it again. */
export function LatestAttempt({ uuid }: { uuid: string }) {
  const slug = useSlug()
  const newest = useQuery({
    ...readList('/v1/shops/{slug}/deliveries', {
      params: { path: { slug }, query: { webhook_id: uuid, page: 1, per_page: 1 } },
    }),
    refetchInterval: refreshMs,
  })
  const delivery = newest.data?.rows[0]
  const detail = useQuery({
    ...read('/v1/shops/{slug}/deliveries/{delivery_id}', {
      params: { path: { slug, delivery_id: delivery?.uuid ?? '' } },
    }),
    enabled: delivery !== undefined,
    refetchInterval: refreshMs,
  })
  if (newest.isPending || (delivery && detail.isPending)) return <SkeletonBox rows={2} />
  // The log below says why nothing could be loaded, or that there is nothing yet.
  if (!detail.data) return null
  return <Latest delivery={detail.data} />
}

function Latest({ delivery }: { delivery: DeliveryDetail }) {
  const slug = useSlug()
  const eventWords = useEventWords()
  const last = delivery.attempts.at(-1)
  return (
    <Card title={t('messages.latest')} aside={<ResendButton uuid={delivery.uuid} isSmall />}>
      <p className="row">
        <Link to="/$slug/messages/deliveries/$deliveryId" params={{ slug, deliveryId: delivery.uuid }}>
          {eventWords(delivery.event_name)}
        </Link>
        <StatusBadge status={delivery.status} attempts={delivery.attempt_count} />
      </p>
      {last ? (
        <AttemptExchange key={last.number} attempt={last} body={delivery.body} isOpen={last.reason !== null} />
      ) : (
        <p className="soft">{t('messages.not_tried')}</p>
      )}
    </Card>
  )
}
