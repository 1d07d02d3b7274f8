import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { read } from '../../../app/api.ts'
import { SelectField } from '../../../kit/field.tsx'
import { formatCountry, formatDate } from '../../../kit/format.ts'
import { Card } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { language, t } from '../../../texts/texts.ts'
import type { CalendarSearch } from './search.ts'
import { weekdayName } from './weekend.tsx'

/** The public holidays that business days are counted without, of any country and year: nothing here is to be set. */
export function PublicHolidays() {
  const navigate = useNavigate({ from: '/$slug/settings/calendar' })
  const { country = usualCountry(), year = new Date().getFullYear() } = useSearch({
    from: '/signed-in/$slug/settings/calendar',
  })
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...read('/v1/calendars/{country}', { params: { path: { country: country as 'DE' }, query: { year } } }), // the API rejects others
    placeholderData: keepPreviousData,
  })
  const change = (changed: CalendarSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  const countries = [...new Set([country, ...(data?.countries ?? [])])]
    .map((value) => ({ value, label: formatCountry(value) }))
    .sort((left, right) => left.label.localeCompare(right.label))
  return (
    <Card title={t('calendar.holidays')}>
      <p className="soft">{t('calendar.holidays_lead')}</p>
      <div className="form-grid">
        <SelectField
          label={t('calendar.country')}
          value={country}
          choices={countries}
          onChange={(country) => change({ country })}
        />
        <SelectField
          label={t('calendar.year')}
          value={String(year)}
          choices={yearsAround(year).map((value) => ({ value, label: value }))}
          onChange={(year) => change({ year: Number(year) })}
        />
      </div>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <SkeletonLines count={9} />}
      {data && (
        <table className={`plain-table holidays ${isPlaceholderData ? 'is-old' : ''}`} aria-busy={isPlaceholderData}>
          <thead>
            <tr>
              <th scope="col">{t('calendar.date')}</th>
              <th scope="col">{t('calendar.weekday')}</th>
              <th scope="col">{t('calendar.day_name')}</th>
            </tr>
          </thead>
          <tbody>
            {data.holidays.map(({ date, name }) => (
              <tr key={date}>
                <th scope="row">{formatDate(noonOf(date))}</th>
                <td className="soft">{weekdayName(noonOf(date).getDay() || 7)}</td>
                <td>{name}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function usualCountry(): string {
  return language() === 'de' ? 'DE' : 'GB'
}

function yearsAround(year: number): string[] {
  const now = new Date().getFullYear()
  const years = Array.from({ length: 9 }, (_, index) => now - 4 + index)
  return [...new Set([...years, year])].sort((one, other) => one - other).map(String)
}

function noonOf(date: string): Date {
  return new Date(`${date}T12:00:00`)
}
