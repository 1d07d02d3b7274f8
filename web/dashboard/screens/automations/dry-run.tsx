import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { type DraftCondition, isComplete } from '../../app/conditions/draft.ts'
import { findField, useConditionWords, useFields } from '../../app/conditions/words.ts'
import { useSlug } from '../../app/session.ts'
import { useEventWords } from '../../app/words.tsx'
import { DayBars } from '../../kit/charts/day-bars.tsx'
import { ChoiceField } from '../../kit/field.tsx'
import { formatTime } from '../../kit/format.ts'
import { Card } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { usePaused } from '../../kit/use-paused.ts'
import { t } from '../../texts/texts.ts'
import { type AutomationDraft, toWrite } from './draft.ts'
import { refWords } from './words.ts'

type Report = Schemas['AutomationDraftDryRunReport']

const periods = ['1', '7', '30'] as const
const dayMs = 24 * 60 * 60_000

/** A list of what the automation would have done, as it is now, stored or not. Nothing is sent. */
export function DryRun({ draft, automationId }: { draft: AutomationDraft; automationId: string | undefined }) {
  const slug = useSlug()
  const fields = useFields()
  const [days, setDays] = useState<(typeof periods)[number]>('7')
  const paused = usePaused(draft)
  const conditions = paused.conditions.filter(isComplete)
  const {
    trigger,
    conditions: written,
    delay_minutes,
  } = toWrite({ ...paused, conditions }, ({ field }) => findField(fields, field))
  const automation = { trigger, conditions: written, delay_minutes }
  const query = useQuery({
    queryKey: ['automation dry run', slug, days, automation, automationId],
    queryFn: ({ signal }) =>
      api.post('/v1/shops/{slug}/automations/dry-run', {
        params: { path: { slug } },
        body: {
          automation,
          ...(automationId ? { automation_id: automationId } : {}),
          since: new Date(Date.now() - Number(days) * dayMs).toISOString(),
        },
        signal,
      }),
    enabled: trigger.events.length > 0,
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('automations.dry_run')}>
      <div className="periods">
        <ChoiceField
          label={t('automations.dry_run_period')}
          value={days}
          choices={periods.map((value) => ({ value, label: t('automations.last_days', { count: Number(value) }) }))}
          onChange={setDays}
        />
      </div>
      <div aria-live="polite" className="stack">
        {trigger.events.length === 0 ? (
          <p className="soft">{t('automations.dry_run_no_event')}</p>
        ) : query.data ? (
          <ReportView report={query.data} conditions={conditions} />
        ) : query.isError ? (
          <Problem error={query.error} retry={() => void query.refetch()} />
        ) : (
          <SkeletonLines count={6} />
        )}
      </div>
    </Card>
  )
}

function ReportView({ report, conditions }: { report: Report; conditions: readonly DraftCondition[] }) {
  const { evaluated, matched, is_complete, looked_at, looked_from, rebuilt } = report
  return (
    <>
      <p className="strong">
        {evaluated === 0
          ? t('automations.dry_run_none')
          : t('automations.dry_run_matched', { count: matched, evaluated })}
      </p>
      <Unmet report={report} conditions={conditions} />
      {matched > 0 && report.days.length > 1 && (
        <DayBars
          title={t('automations.by_day')}
          days={report.days.map(({ date, matched: value }) => ({ date, value, before: undefined }))}
          words={(count) => t('automations.runs_count', { count })}
          series={1}
          empty={t('automations.dry_run_none')}
        />
      )}
      <Matches report={report} />
      <p className="small soft">
        {is_complete
          ? t('automations.looked_at', { count: looked_at })
          : t('automations.looked_at_newest', { count: looked_at, time: formatTime(looked_from) })}{' '}
        {rebuilt > 0 && t('automations.rebuilt', { count: rebuilt })} {t('automations.nothing_sent')}
      </p>
    </>
  )
}

/** The condition that keeps out most events: the one to check if too few match. */
function Unmet({ report: { unmet }, conditions }: { report: Report; conditions: readonly DraftCondition[] }) {
  const conditionWords = useConditionWords()
  const [worst] = unmet
  const condition = worst && conditions[worst.condition]
  if (!worst || !condition) return null
  return <p>{t('automations.unmet', { condition: conditionWords(condition), count: worst.events })}</p>
}

function Matches({ report: { matches, matched } }: { report: Report }) {
  const slug = useSlug()
  const eventWords = useEventWords()
  if (matches.length === 0) return null
  return (
    <>
      <ul className="preview-list" data-list aria-label={t('automations.matches')}>
        {matches.map((match) => (
          <li key={`${match.shipment_id} ${match.ref} ${match.triggered_at}`} className="row apart">
            <span className="stack preview-parcel">
              {match.shipment_id ? (
                <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: match.shipment_id }}>
                  {match.order_number ?? t('automations.parcel')}
                </Link>
              ) : (
                match.order_number
              )}
              <span className="small soft">{refWords(match.ref, eventWords)}</span>
              {match.prevented !== null && <span className="small late-text">{t('automations.would_loop')}</span>}
            </span>
            <span className="stack preview-parcel match-when">
              <span>{match.customer_name}</span>
              <span className="small soft">
                <RelativeTime at={match.triggered_at} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {matched > matches.length && (
        <p className="small soft">{t('automations.first_matches', { count: matches.length })}</p>
      )}
    </>
  )
}
