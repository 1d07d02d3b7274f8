import { Link, type LinkProps, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay, useSlug } from '../../app/session.ts'
import { formatNumber, formatShare } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'
import {
  compareCounts,
  compareDays,
  compareRates,
  type Delta,
  type Figures,
  inDays,
  isSolid,
  minSample,
  type Rate,
} from './figures.ts'
import { usualPeriod } from './search.ts'

interface TilesProps {
  now: Figures
  before: Figures | undefined
}

/** The figures of the period, each with the period before and what it is counted from. */
export function Tiles({ now, before }: TilesProps) {
  const { days = usualPeriod } = useSearch({ from: '/signed-in/$slug/' })
  const delivered = { phase: 'delivered', since: days }
  const mayOpenWebhooks = useMay('admin')
  const messages: LinkProps['to'] = mayOpenWebhooks ? '/$slug/messages/webhooks' : '/$slug/messages/integrations'
  const counted = (read: (figures: Figures) => number, good?: 'more' | 'less') =>
    before && read(now) + read(before) > 0 ? compareCounts(read(now), read(before), good) : undefined
  return (
    <ul className="tiles">
      <Tile
        label={t('home.orders')}
        to="/$slug/orders"
        search={{ since: days }}
        delta={counted(({ orders }) => orders.placed)}
      >
        {formatNumber(now.orders.placed)}
      </Tile>
      <Tile
        label={t('home.delivered')}
        to="/$slug/shipments"
        search={delivered}
        delta={counted(({ deliveries }) => deliveries.delivered)}
        sample={some('home.attempts_failed', now.deliveries.failed_attempts)}
      >
        {formatNumber(now.deliveries.delivered)}
      </Tile>
      <RateTile
        label={t('home.on_time')}
        to="/$slug/exceptions"
        search={{ kind: 'late' }}
        now={now.rates.on_time}
        before={before?.rates.on_time}
        sampleWords={(count) => t('home.of_parcels', { count })}
        fewWords={(count) => t('home.too_few', { count })}
      />
      <TransitTile now={now} before={before} search={delivered} />
      <RateTile
        label={t('home.messages')}
        to={messages}
        now={now.rates.notifications}
        before={before?.rates.notifications}
        sampleWords={(count) => t('home.of_messages', { count })}
        fewWords={(count) => t('home.too_few_messages', { count })}
      />
      <Tile
        label={t('home.claims')}
        delta={counted(({ claims }) => claims.filed, 'less')}
        sample={some('home.claims_open', now.claims.by_status.pending)}
      >
        {formatNumber(now.claims.filed)}
      </Tile>
      <Tile label={t('home.views')} delta={counted(({ campaigns }) => campaigns.exposures)}>
        {formatNumber(now.campaigns.exposures)}
      </Tile>
      <Tile label={t('home.clicks')} delta={counted(({ campaigns }) => campaigns.clicks)}>
        {formatNumber(now.campaigns.clicks)}
      </Tile>
    </ul>
  )
}

/** Undefined if there are none. */
function some(key: 'home.attempts_failed' | 'home.claims_open', count: number): string | undefined {
  return count === 0 ? undefined : t(key, { count })
}

interface TileProps {
  label: string
  /** The link to its records. */
  to?: LinkProps['to']
  search?: Record<string, string>
  delta?: Delta | undefined
  /** The sample behind the figure, or a count that belongs to it. */
  sample?: ReactNode
  children: ReactNode
}

function Tile({ label, to, search = {}, delta, sample, children }: TileProps) {
  const slug = useSlug()
  return (
    <li className="tile card">
      <h3 className="tile-label">
        {to ? (
          <Link to={to} params={{ slug } as never} search={search as never}>
            {label}
          </Link>
        ) : (
          label
        )}
      </h3>
      <p className="tile-value number">{children}</p>
      {sample && <p className="soft small">{sample}</p>}
      {delta && <p className={`small delta ${toneOf(delta)}`}>{delta.words}</p>}
    </li>
  )
}

function toneOf({ isGood }: Delta): 'better' | 'worse' | 'soft' {
  if (isGood === undefined) return 'soft'
  return isGood ? 'better' : 'worse'
}

interface RateTileProps {
  label: string
  to: LinkProps['to']
  search?: Record<string, string>
  now: Rate
  before: Rate | undefined
  sampleWords: (count: number) => string
  fewWords: (count: number) => string
}

/** A rate with its sample; with too few behind it, only how many there are. */
function RateTile({ label, to, search = {}, now, before, sampleWords, fewWords }: RateTileProps) {
  if (!isSolid(now)) {
    return (
      <Tile label={label} to={to} search={search} sample={fewWords(now.sample)}>
        –
      </Tile>
    )
  }
  return (
    <Tile
      label={label}
      to={to}
      search={search}
      delta={before && compareRates(now, before)}
      sample={sampleWords(now.sample)}
    >
      {formatShare(now.share)}
    </Tile>
  )
}

function TransitTile({ now, before, search }: TilesProps & { search: Record<string, string> }) {
  const { median, p90 } = now.deliveries.transit_days
  const earlier = before?.deliveries
  if (median === null || p90 === null || now.deliveries.delivered < minSample) {
    return (
      <Tile
        label={t('home.transit')}
        to="/$slug/shipments"
        search={search}
        sample={t('home.too_few', { count: now.deliveries.delivered })}
      >
        –
      </Tile>
    )
  }
  const isComparable = earlier && earlier.transit_days.median !== null && earlier.delivered >= minSample
  return (
    <Tile
      label={t('home.transit')}
      to="/$slug/shipments"
      search={search}
      delta={isComparable ? compareDays(median, earlier.transit_days.median ?? 0) : undefined}
      sample={t('home.p90', { days: formatNumber(p90, 1) })}
    >
      {inDays(median)}
    </Tile>
  )
}
