import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, read, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { formatDate, formatList } from '../../../kit/format.ts'
import { Card, Facts, Page } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { DayList, type NamedDay } from './day-list.tsx'
import { PublicHolidays } from './public-holidays.tsx'
import { Weekend, weekdayName } from './weekend.tsx'

export type Calendar = Schemas['CalendarSettings']

/** The days that count as business days, everywhere in the dashboard. */
export function CalendarSettings() {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const query = useQuery(read('/v1/shops/{slug}/settings/calendar', { params: { path: { slug } } }))
  return (
    <Page title={t('calendar.title')} lead={t('calendar.lead')}>
      {query.isPending && <SkeletonLines count={8} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data && (mayChange ? <CalendarForm key={slug} stored={query.data} /> : <ReadOnly calendar={query.data} />)}
      <PublicHolidays />
    </Page>
  )
}

function CalendarForm({ stored }: { stored: Calendar }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const draft = useDraft(stored)
  const { value, set } = draft
  const save = useMutation({
    mutationFn: () =>
      api.put('/v1/shops/{slug}/settings/calendar', { params: { path: { slug } }, body: filled(value) }),
    onSuccess: async () => {
      await refresh(queryClient, '/v1/shops/{slug}/settings/calendar', '/v1/shops/{slug}/analytics/delivery-times')
      draft.reset()
      toasts.done(t('calendar.saved'))
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form problems={problems} labels={labelsOf(value)} onSubmit={() => save.mutate()}>
      <Card title={t('calendar.weekend')}>
        <Weekend days={value.weekend} onChange={(weekend) => set({ weekend })} />
      </Card>
      <Card title={t('calendar.closed')}>
        <p className="soft">{t('calendar.closed_lead')}</p>
        <DayList
          name="closed_days"
          days={value.closed_days}
          problems={problems}
          onChange={(closed_days) => set({ closed_days })}
        />
      </Card>
      <Card title={t('calendar.open')}>
        <p className="soft">{t('calendar.open_lead')}</p>
        <DayList
          name="open_days"
          days={value.open_days}
          problems={problems}
          onChange={(open_days) => set({ open_days })}
        />
      </Card>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

/** Lines that were added and not used are left out. */
function filled(calendar: Calendar): Calendar {
  const isUsed = ({ date, name }: NamedDay) => date !== '' || name !== ''
  return {
    ...calendar,
    closed_days: calendar.closed_days.filter(isUsed),
    open_days: calendar.open_days.filter(isUsed),
  }
}

function labelsOf(calendar: Calendar): Record<string, string> {
  const labels = (['closed_days', 'open_days'] as const).flatMap((list) =>
    calendar[list].map((_, index): [string, string] => [
      `${list}.${index}.date`,
      t(`calendar.${list}_line`, { line: index + 1 }),
    ]),
  )
  return { weekend: t('calendar.weekend'), ...Object.fromEntries(labels) }
}

function ReadOnly({ calendar: { weekend, closed_days, open_days } }: { calendar: Calendar }) {
  return (
    <Card title={t('calendar.own')}>
      <Facts
        facts={[
          [
            t('calendar.weekend'),
            weekend.length === 0 ? t('calendar.no_weekend') : formatList(weekend.map(weekdayName)),
          ],
          [t('calendar.closed'), <Days key="closed" days={closed_days} />],
          [t('calendar.open'), <Days key="open" days={open_days} />],
        ]}
      />
      <p className="soft small">{t('calendar.read_only')}</p>
    </Card>
  )
}

function Days({ days }: { days: readonly NamedDay[] }) {
  if (days.length === 0) return t('calendar.none')
  return (
    <ul>
      {days.map(({ date, name }) => (
        <li key={date}>
          {formatDate(`${date}T12:00:00`)} {name && <span className="soft">{name}</span>}
        </li>
      ))}
    </ul>
  )
}
