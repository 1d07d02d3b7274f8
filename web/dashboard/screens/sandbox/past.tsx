import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { PhaseBadge } from '../../app/words.tsx'
import { Table } from '../../kit/list/table.tsx'
import { Card } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { readNumber } from './play.ts'

/** The latest parcels of the sandbox; the list of parcels has all of them. */
export function Past() {
  const slug = useSlug()
  const query = useQuery({
    ...read('/v1/shops/{slug}/lists/shipments', {
      params: { path: { slug }, query: { carrier_reference: 'sandbox', per_page: 10 } },
    }),
    refetchInterval: refreshMs,
  })
  return (
    <Card
      title={t('sandbox.past')}
      aside={
        <Link to="/$slug/shipments" params={{ slug }} search={{ carrier: 'sandbox' }} className="small">
          {t('sandbox.all')}
        </Link>
      }
    >
      {query.isPending ? (
        <SkeletonLines count={4} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : query.data.shipments.length === 0 ? (
        <p className="soft">{t('sandbox.none')}</p>
      ) : (
        <Table
          label={t('sandbox.past')}
          rows={query.data.shipments}
          keyOf={({ shipment_id }) => shipment_id}
          nameOf={({ order_number }) => order_number}
          columns={[
            {
              name: 'order',
              label: t('sandbox.order'),
              cell: ({ order_id, order_number }) => (
                <Link to="/$slug/sandbox/$orderId" params={{ slug, orderId: order_id }}>
                  {order_number}
                </Link>
              ),
            },
            {
              name: 'journey',
              label: t('sandbox.journey'),
              cell: ({ tracking_number }) => {
                const number = readNumber(tracking_number)
                return number ? t(`sandbox.journeys.${number.journey}`) : (tracking_number ?? '')
              },
            },
            {
              name: 'state',
              label: t('sandbox.state'),
              cell: ({ phase, flag }) => <PhaseBadge phase={phase} flag={flag} />,
            },
            { name: 'when', label: t('sandbox.when'), cell: ({ created_at }) => <RelativeTime at={created_at} /> },
          ]}
        />
      )}
    </Card>
  )
}
