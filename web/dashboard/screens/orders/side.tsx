import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { read } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { formatCountry, formatMoney, formatNumber, formatTime } from '../../kit/format.ts'
import { Card, Facts } from '../../kit/page.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { lineAmount, sumsOf } from './sums.ts'
import { wordOf } from './words.ts'

type Order = Schemas['Order']

export function CustomerCard({ order }: { order: Order }) {
  const { address, email_id: email } = order
  const town = [address?.zip_code, address?.city].filter(Boolean).join(' ')
  const lines = [
    address?.company,
    address?.street ?? address?.address_line_1,
    address?.address_line_2,
    town,
    address?.country_code ? formatCountry(address.country_code) : address?.country,
  ].filter((line): line is string => Boolean(line))
  const isKnown = email !== null || address?.name
  return (
    <Card title={t('orders.customer')}>
      {isKnown ? (
        <Facts
          facts={[
            [t('orders.name'), address?.name],
            [
              t('orders.email'),
              email && (
                <span className="row tight-row">
                  <a href={`mailto:${email}`} className="wrap-anywhere">
                    {email}
                  </a>
                  <CopyButton value={email} isIconOnly />
                </span>
              ),
            ],
            [t('orders.phone'), address?.phone && <a href={`tel:${address.phone}`}>{address.phone}</a>],
            [
              t('orders.address'),
              lines.length > 0 && (
                <address>
                  {lines.map((line) => (
                    <span key={line}>{line}</span>
                  ))}
                </address>
              ),
            ],
          ].map(([name, value]) => [String(name), value || undefined] as const)}
        />
      ) : (
        <p className="soft">{t('orders.erased_hint')}</p>
      )}
    </Card>
  )
}

export function GoodsCard({ order }: { order: Order }) {
  return (
    <Card title={t('orders.goods')}>
      <ul className="goods">
        {order.products.map((product, index) => (
          <li key={index}>
            <span>
              {t('orders.pieces', { pieces: formatNumber(product.quantity ?? 1) })}{' '}
              {product.title ?? product.sku ?? '–'}
              {product.variant_title && <span className="soft"> · {product.variant_title}</span>}
            </span>
            {lineAmount(product) !== null && (
              <span className="number soft">{formatMoney(lineAmount(product) ?? 0, order.currency)}</span>
            )}
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          ...sumsOf(order),
          [
            t('orders.total'),
            order.total_order_price === null ? null : formatMoney(order.total_order_price, order.currency),
          ],
          [t('orders.placed'), formatTime(order.order_placed_at)],
          [t('orders.external_id'), order.external_id],
        ]}
      />
    </Card>
  )
}

/** The claims of an order; nothing if there are none. */
export function ClaimsCard({ orderId, shipmentId }: { orderId: string; shipmentId?: string }) {
  const slug = useSlug()
  const { data } = useQuery(
    read('/v1/shops/{slug}/claims', {
      params: { path: { slug }, query: { order_id: orderId, ...(shipmentId ? { shipment_id: shipmentId } : {}) } },
    }),
  )
  const claims = data?.claims ?? []
  if (claims.length === 0) return null
  return (
    <Card title={t('orders.claims')}>
      <ul className="stack tight">
        {claims.map((claim) => (
          <li key={claim.uuid} className="stack tight">
            <span className="row apart">
              <Link to="/$slug/claims/$uuid" params={{ slug, uuid: claim.uuid }} className="strong">
                {claim.kind === 'withdrawal' ? t('orders.claim_kind_withdrawal') : wordOf('claim_reason', claim.reason)}
              </Link>
              <Badge tone={claim.status === 'pending' ? 'late' : 'neutral'}>
                {wordOf('claim_status', claim.status)}
              </Badge>
            </span>
            <span className="small soft">
              <RelativeTime at={claim.created_at} />
              {claim.description && ` · ${claim.description}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
