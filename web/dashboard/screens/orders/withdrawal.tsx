import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { formatDate } from '../../kit/format.ts'
import { Card, Facts } from '../../kit/page.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'

const tones: Record<'not_started' | 'running' | 'ended', Tone> = {
  not_started: 'info',
  running: 'info',
  ended: 'neutral',
}

/** Until when the customer can withdraw from the contract. Nothing if the shop does not offer that. */
export function WithdrawalCard({ orderId }: { orderId: string }) {
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
