import { Button } from '../../kit/button.tsx'
import { formatClock, formatNumber } from '../../kit/format.ts'
import { Facts } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { Progress } from '../../kit/progress.tsx'
import { t } from '../../texts/texts.ts'
import { type Backfill, useBackfillActions } from './data.ts'
import { nameOf } from './words.tsx'

/** An import that runs: how far it is, how long it will take, and why it waits. */
export function ImportProgress({ backfill }: { backfill: Backfill }) {
  const { pause } = useBackfillActions(backfill.system)
  const { total, read, waiting_reason, waiting_until } = backfill
  const left = secondsLeft(backfill)
  return (
    <>
      <Progress
        label={t('connect.import.progress', { system: nameOf(backfill.system) })}
        value={total === null ? undefined : Math.min(read, total)}
        max={total ?? 1}
      >
        <div className="row apart">
          <p className="strong number">
            {total === null
              ? t('connect.import.read', { count: read })
              : t('connect.import.read_of', { count: read, total })}
          </p>
          {waiting_reason === null && (
            <p className="soft">{left === undefined ? t('connect.import.no_time') : leftWords(left)}</p>
          )}
        </div>
      </Progress>
      {waiting_reason && (
        <Banner tone="late" title={t(`connect.import.waiting_${waiting_reason}`, { system: nameOf(backfill.system) })}>
          <p>
            {waiting_until === null
              ? t('connect.import.waits')
              : t('connect.import.waits_until', { time: formatClock(waiting_until) })}
          </p>
        </Banner>
      )}
      <ImportFigures backfill={backfill} />
      <p className="soft">{t('connect.import.may_leave')}</p>
      {pause.error && <Problem error={pause.error} />}
      <div>
        <Button isBusy={pause.isPending} onClick={() => pause.mutate(backfill.id)}>
          {t('connect.import.pause')}
        </Button>
      </div>
    </>
  )
}

/** The outcome of the orders that were read, in numbers. Zeros are left out, except the first number. */
export function ImportFigures({ backfill }: { backfill: Backfill }) {
  const figures = (['created', 'updated', 'unchanged', 'skipped', 'failed'] as const).filter(
    (name) => name === 'created' || backfill[name] > 0,
  )
  return (
    <div className="import-figures">
      <Facts facts={figures.map((name) => [t(`connect.import.${name}`), formatNumber(backfill[name])])} />
    </div>
  )
}

/** Too few orders say nothing about the pace. */
const smallestSample = 20

/** How long the rest takes at the pace so far; undefined if that cannot be said yet. */
function secondsLeft({ status, total, read, started_at }: Backfill): number | undefined {
  if (status !== 'running' || total === null || started_at === null || read < smallestSample) return undefined
  const seconds = (Date.now() - new Date(started_at).getTime()) / 1_000
  return Math.max(0, ((total - read) * seconds) / read)
}

function leftWords(seconds: number): string {
  if (seconds < 60) return t('connect.import.left_soon')
  if (seconds < 5_400) return t('connect.import.left_minutes', { count: Math.round(seconds / 60) })
  return t('connect.import.left_hours', { count: Math.round(seconds / 3_600) })
}
