import { useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table } from '../../kit/list/table.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'
import { type Backfill, useBackfillActions } from './data.ts'
import { ImportFigures } from './import-progress.tsx'
import { nameOf, problemHint } from './words.tsx'

/** An import that ended, paused or failed, and how to go on. */
export function ImportResult({ backfill, onMore }: { backfill: Backfill; onMore: () => void }) {
  const slug = useSlug()
  const { resume } = useBackfillActions(backfill.system)
  const isCompleted = backfill.status === 'completed'
  return (
    <>
      <Outcome backfill={backfill} />
      <ImportFigures backfill={backfill} />
      <ImportProblems backfill={backfill} />
      {resume.error && <Problem error={resume.error} />}
      <div className="row">
        {isCompleted ? (
          <ButtonLink variant="primary" to="/$slug/orders" params={{ slug }}>
            {t('connect.import.see_orders')}
          </ButtonLink>
        ) : (
          <Button variant="primary" isBusy={resume.isPending} onClick={() => resume.mutate(backfill.id)}>
            {t('connect.import.resume')}
          </Button>
        )}
        <Button onClick={onMore}>{t(isCompleted ? 'connect.import.more' : 'connect.import.again')}</Button>
      </div>
    </>
  )
}

function Outcome({ backfill }: { backfill: Backfill }) {
  const { status, read, total, created, days, error, system } = backfill
  if (status === 'completed') {
    return (
      <Banner tone="good" title={t('connect.import.completed', { count: created })}>
        <p>{t('connect.import.completed_text', { count: days, system: nameOf(system) })}</p>
      </Banner>
    )
  }
  const reached = total === null ? formatNumber(read) : `${formatNumber(read)} / ${formatNumber(total)}`
  if (status === 'cancelled') {
    return (
      <Banner tone="info" title={t('connect.import.paused')}>
        <p>{t('connect.import.paused_text', { reached })}</p>
      </Banner>
    )
  }
  return (
    <Banner tone="wrong" title={t('connect.import.stopped')}>
      <p>{(error && (problemHint(error.key, system) || error.message)) ?? t('problem.unexpected')}</p>
      <p>{t('connect.import.stopped_text', { reached })}</p>
    </Banner>
  )
}

/** The orders that could not be taken over, and why. */
function ImportProblems({ backfill: { problems, failed } }: { backfill: Backfill }) {
  if (problems.length === 0) return null
  return (
    <section className="stack tight" aria-label={t('connect.import.problems')}>
      <h3>{t('connect.import.problems')}</h3>
      <Table
        label={t('connect.import.problems')}
        columns={[
          { name: 'order', label: t('connect.import.order'), cell: ({ order }) => order },
          { name: 'message', label: t('connect.import.reason'), cell: ({ message }) => message },
        ]}
        rows={problems}
        keyOf={({ order, key }) => `${order} ${key}`}
        nameOf={({ order }) => order}
      />
      {failed > problems.length && (
        <p className="soft">{t('connect.import.more_problems', { count: failed - problems.length })}</p>
      )}
    </section>
  )
}
