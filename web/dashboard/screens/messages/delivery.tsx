import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { useEventWords } from '../../app/words.tsx'
import { formatTime } from '../../kit/format.ts'
import { Card, Columns, Facts, Page } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { AttemptExchange, Copyable, type DeliveryDetail } from './exchange.tsx'
import { ResendButton } from './resend.tsx'
import { shownAddress } from './shown-address.ts'
import { StatusBadge } from './status.tsx'
import { receiverName } from './trigger-words.ts'
import { Verification } from './verification.tsx'

export function Delivery() {
  const slug = useSlug()
  const { deliveryId } = useParams({ from: '/signed-in/$slug/messages/deliveries/$deliveryId' })
  const query = useQuery({
    ...read('/v1/shops/{slug}/deliveries/{delivery_id}', { params: { path: { slug, delivery_id: deliveryId } } }),
    refetchInterval: refreshMs,
  })
  if (query.data) return <DeliveryPage delivery={query.data} />
  return (
    <Page
      title={t('messages.message')}
      back={
        <Link to="/$slug/messages/webhooks" params={{ slug }}>
          {t('nav.webhooks')}
        </Link>
      }
    >
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

function DeliveryPage({ delivery }: { delivery: DeliveryDetail }) {
  const eventWords = useEventWords()
  const { status, attempt_count, attempts, webhook_id } = delivery
  const newestFirst = attempts.toReversed()
  return (
    <Page
      title={eventWords(delivery.event_name)}
      back={<BackLink delivery={delivery} />}
      aside={<StatusBadge status={status} attempts={attempt_count} />}
      actions={<ResendButton uuid={delivery.uuid} />}
    >
      <Columns
        main={
          <>
            <NextStep delivery={delivery} />
            <Card title={t('messages.attempts')}>
              {newestFirst.length === 0 && <p className="soft">{t('messages.not_tried')}</p>}
              {newestFirst.map((attempt, index) => (
                <AttemptExchange
                  key={attempt.number}
                  attempt={attempt}
                  body={delivery.body}
                  isOpen={index === 0 && attempt.request !== null}
                />
              ))}
            </Card>
            {webhook_id === null && (
              <Card title={t('messages.payload')}>
                <p className="soft">{t('messages.payload_text')}</p>
                <Copyable label={t('messages.payload')} text={JSON.stringify(delivery.payload, null, 2)} />
              </Card>
            )}
          </>
        }
        side={
          <>
            <Card title={t('messages.about_message')}>
              <DeliveryFacts delivery={delivery} />
            </Card>
            {webhook_id !== null && <Verification />}
          </>
        }
      />
    </Page>
  )
}

/** The next attempt, or the action to take. */
function NextStep({ delivery: { status, next_attempt_at, attempt_count } }: { delivery: DeliveryDetail }) {
  if (status === 'dead') {
    return (
      <Banner tone="wrong" title={t('messages.dead_title')}>
        <p>{t('messages.dead_text', { count: attempt_count })}</p>
      </Banner>
    )
  }
  if (status === 'pending' && next_attempt_at !== null && attempt_count > 0) {
    return (
      <Banner tone="late" title={t('messages.retrying')}>
        <p>{rich('messages.retry_text', { time: <RelativeTime at={next_attempt_at} /> })}</p>
      </Banner>
    )
  }
  return null
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const slug = useSlug()
  const { shipment_id, order_id } = delivery
  const isTest = delivery.payload.test === true
  return (
    <Facts
      facts={[
        [t('messages.receiver'), <ReceiverLink key="receiver" delivery={delivery} />],
        [t('messages.ref'), <code key="ref">{delivery.ref}</code>],
        [
          t('messages.parcel'),
          shipment_id && (
            <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: shipment_id }}>
              {t('messages.to_parcel')}
            </Link>
          ),
        ],
        [
          t('messages.order'),
          order_id && (
            <Link to="/$slug/orders/$orderId" params={{ slug, orderId: order_id }}>
              {delivery.order_number ?? t('messages.to_order')}
            </Link>
          ),
        ],
        [t('messages.test'), isTest ? t('messages.is_test') : null],
        [t('messages.created'), formatTime(delivery.created_at)],
        [t('messages.finished'), delivery.finished_at && formatTime(delivery.finished_at)],
        [t('messages.webhook_id'), <code key="id">{delivery.uuid}</code>],
      ]}
    />
  )
}

function BackLink({ delivery: { webhook_id, integration } }: { delivery: DeliveryDetail }): ReactNode {
  const slug = useSlug()
  if (webhook_id !== null) {
    return (
      <Link to="/$slug/messages/webhooks/$uuid" params={{ slug, uuid: webhook_id }}>
        {t('messages.endpoint')}
      </Link>
    )
  }
  if (integration !== null) {
    return (
      <Link to="/$slug/messages/integrations/$integration" params={{ slug, integration }}>
        {t('nav.integrations')}
      </Link>
    )
  }
  return (
    <Link to="/$slug/messages/webhooks" params={{ slug }}>
      {t('nav.webhooks')}
    </Link>
  )
}

function ReceiverLink({ delivery }: { delivery: DeliveryDetail }) {
  const slug = useSlug()
  const { webhook_id, integration, url } = delivery
  const { data: endpoint } = useQuery({
    ...read('/v1/shops/{slug}/webhooks/{uuid}', { params: { path: { slug, uuid: webhook_id ?? '' } } }),
    enabled: webhook_id !== null,
    retry: false,
  })
  if (webhook_id !== null) {
    return endpoint ? (
      <Link to="/$slug/messages/webhooks/$uuid" params={{ slug, uuid: webhook_id }}>
        {shownAddress(endpoint.url)}
      </Link>
    ) : (
      t('messages.endpoint')
    )
  }
  if (integration === null) return url
  return (
    <Link to="/$slug/messages/integrations/$integration" params={{ slug, integration }}>
      {receiverName(integration)}
    </Link>
  )
}
