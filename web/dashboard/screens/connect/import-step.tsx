import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { ChoiceField } from '../../kit/field.tsx'
import { Problem } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'
import { type Backfill, isActive, type ShopSystem, useBackfillActions } from './data.ts'
import { ImportProgress } from './import-progress.tsx'
import { ImportResult } from './import-result.tsx'
import { Points } from './instructions.tsx'
import { nameOf } from './words.tsx'

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
/** Shopify shows older orders only to those who may read all. */
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
