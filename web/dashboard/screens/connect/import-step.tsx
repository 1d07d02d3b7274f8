import { useState } from 'react'
import { useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { ChoiceField } from '../../kit/field.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table } from '../../kit/list/table.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'
import { type Backfill, isActive, type ShopSystem, useBackfillActions } from './data.ts'
import { ImportFigures, ImportProgress } from './import-progress.tsx'
import { Points } from './instructions.tsx'
import { nameOf, problemHint } from './words.tsx'

interface ImportStepProps {
  system: ShopSystem
  backfill: Backfill | null
  onSkip: () => void
}

/** Brings in the orders from before the connection: asks how far back, then shows how far it is. */
export function ImportStep({ system, backfill, onSkip }: ImportStepProps) {
  const [isChoosing, setChoosing] = useState(false)
  if (backfill !== null && isActive(backfill)) return <ImportProgress backfill={backfill} />
  if (backfill !== null && !isChoosing) {
    return <ImportResult backfill={backfill} onMore={() => setChoosing(true)} />
  }
  if (!system.has_credentials) return <p className="soft">{t('connect.needs_access')}</p>
  return (
    <ImportForm
      system={system}
      onStarted={() => setChoosing(false)}
      leave={
        backfill === null
          ? { words: t('connect.import.skip'), act: onSkip }
          : { words: t('kit.cancel'), act: () => setChoosing(false) }
      }
    />
  )
}

const periods = ['7', '30', '90', '365'] as const
/** Shopify returns older orders only to an app with the scope for all orders. */
const shopifyDays = 60

interface ImportFormProps {
  system: ShopSystem
  onStarted: () => void
  leave: { words: string; act: () => void }
}

function ImportForm({ system, onStarted, leave }: ImportFormProps) {
  const [days, setDays] = useState<(typeof periods)[number]>('90')
  const { start } = useBackfillActions(system.name)
  return (
    <>
      <ChoiceField
        label={t('connect.import.days')}
        value={days}
        choices={periods.map((period) => ({ value: period, label: t(`connect.import.last_${period}`) }))}
        onChange={setDays}
      />
      {system.name === 'shopify' && Number(days) > shopifyDays && (
        <p className="help">{t('connect.import.shopify_scope')}</p>
      )}
      <div className="stack tight">
        <p className="strong">{t('connect.import.what')}</p>
        <Points name="import" />
      </div>
      {start.error && <Problem error={start.error} />}
      <div className="row">
        <Button
          variant="primary"
          isBusy={start.isPending}
          onClick={() => start.mutate(Number(days), { onSuccess: onStarted })}
        >
          {t('connect.import.start', { system: nameOf(system.name) })}
        </Button>
        <Button onClick={leave.act}>{leave.words}</Button>
      </div>
    </>
  )
}

/** The one thing to know about it, while the step is closed. */
export function importSummary(backfill: Backfill): string {
  const { status, read, total, created } = backfill
  if (status === 'completed') return t('connect.import.completed', { count: created })
  if (status === 'failed') return t('connect.import.stopped')
  if (status === 'cancelled') return t('connect.import.paused')
  return total === null
    ? t('connect.import.read', { count: read })
    : t('connect.import.read_of', { count: read, total })
}

/** An import that ended, paused or failed, and how to go on. */
function ImportResult({ backfill, onMore }: { backfill: Backfill; onMore: () => void }) {
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
