import { useQuery } from '@tanstack/react-query'
import { readList } from '../../app/api.ts'
import type { Exception } from '../../app/exception-words.tsx'
import { useSession, useSlug } from '../../app/session.ts'
import { formatCountry } from '../../kit/format.ts'
import { Filter } from '../../kit/list/controls.tsx'
import { t } from '../../texts/texts.ts'
import { type ExceptionSearch, states } from './search.ts'

interface FiltersProps {
  search: ExceptionSearch
  /** The rows shown: what they have can be filtered by. */
  rows: readonly Exception[]
  onChange: (change: ExceptionSearch) => void
}

export function Filters({ search, rows, onChange }: FiltersProps) {
  const people = usePeople()
  const carriers = new Map(rows.map((row) => [row.carrier_reference, row.carrier_name]))
  const choices = {
    assigned_to: choicesOf([...people, search.assigned_to], (name) => name),
    carrier: choicesOf([...carriers.keys(), search.carrier], (name) => carriers.get(name) ?? name),
    country: choicesOf([...rows.map((row) => row.destination_country), search.country], formatCountry),
  }
  return (
    <>
      <Filter
        label={t('exceptions.state')}
        isSingle
        choices={states.map((value) => ({ value, label: t(`exceptions.states.${value}`) }))}
        chosen={search.state ? [search.state] : []}
        onChange={([state]) => onChange({ state })}
      />
      {(['assigned_to', 'carrier', 'country'] as const)
        .filter((name) => choices[name].length > 0)
        .map((name) => (
          <Filter
            key={name}
            label={t(`exceptions.${name}`)}
            isSingle
            choices={choices[name]}
            chosen={search[name] === undefined ? [] : [search[name]]}
            onChange={([value]) => onChange({ [name]: value })}
          />
        ))}
    </>
  )
}

/** Those a parcel can be assigned to, the reader first. */
function usePeople(): string[] {
  const slug = useSlug()
  const { name } = useSession()
  const { data } = useQuery(
    readList('/v1/shops/{slug}/colleagues', { params: { path: { slug }, query: { per_page: 100 } } }),
  )
  return [name, ...(data?.rows ?? []).map((colleague) => colleague.name)]
}

/** Each value once, by name. */
function choicesOf(values: readonly (string | null | undefined)[], nameOf: (value: string) => string) {
  const given = values.flatMap((value) => value || [])
  return [...new Set(given)]
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((left, right) => left.label.localeCompare(right.label))
}
