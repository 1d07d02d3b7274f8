import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSlug } from '../../app/session.ts'
import { formatNumber, formatShare } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'
import type { Outcome, PerformanceSearch } from './search.ts'
import {
  type DeliveryTimes,
  inDays,
  measureOf,
  minSample,
  parcelsOf,
  shortDays,
  targetWords,
  timesOf,
} from './times.ts'

interface TilesProps {
  times: DeliveryTimes
  search: PerformanceSearch
}

/** The period in five figures, each with what it means and how many parcels are behind it. */
export function Tiles({ times: { total, target }, search }: TilesProps) {
  const measure = measureOf(search)
  const { measured, days } = timesOf(total, measure)
  const after = t(`performance.after_${measure.since}`)
  return (
    <ul className="tiles">
      <Tile label={t('performance.median')} search={search} sample={measured}>
        {days ? shortDays(days.median) : undefined}
        {days && t('performance.median_words', { days: inDays(Math.ceil(days.median), measure.unit), after })}
      </Tile>
      <Tile label={t('performance.p90')} search={search} sample={measured}>
        {days ? shortDays(days.p90) : undefined}
        {days && t('performance.p90_words', { days: inDays(Math.ceil(days.p90), measure.unit), after })}
      </Tile>
      <Tile label={t('performance.on_time')} search={search} outcome="on_time" sample={total.expected}>
        {total.on_time_rate === null ? undefined : formatShare(total.on_time_rate)}
        {t('performance.on_time_words')}
      </Tile>
      {target && total.target && (
        <Tile label={t('performance.target')} search={search} outcome="on_target" sample={total.target.measured}>
          {total.target.rate === null ? undefined : formatShare(total.target.rate)}
          {t('performance.target_words', { target: targetWords(target) })}
        </Tile>
      )}
      <Tile label={t('performance.held')} search={search} outcome="held" sample={total.predicted}>
        {total.held_rate === null ? undefined : formatShare(total.held_rate)}
        {total.predicted < minSample
          ? t('performance.held_words')
          : t('performance.held_counts', { early: formatNumber(total.early), late: formatNumber(total.late) })}
      </Tile>
    </ul>
  )
}

interface TileProps {
  label: string
  search: PerformanceSearch
  outcome?: Outcome
  /** How many parcels the figure is of. */
  sample: number
  /** The figure, if there are enough parcels, and what it says. */
  children: [figure: ReactNode, words: ReactNode]
}

function Tile({ label, search: { group: _group, sort: _sort, ...scope }, outcome, sample, children }: TileProps) {
  const slug = useSlug()
  const [figure, words] = children
  return (
    <li className="tile card">
      <h2 className="tile-label">
        <Link {...parcelsOf(slug, { ...scope, ...(outcome ? { outcome } : {}) })}>{label}</Link>
      </h2>
      <p className="tile-value number">{sample < minSample || !figure ? '–' : figure}</p>
      {sample >= minSample && <p className="small">{words}</p>}
      <p className="soft small">
        {sample < minSample ? t('home.too_few', { count: sample }) : t('home.of_parcels', { count: sample })}
      </p>
    </li>
  )
}
