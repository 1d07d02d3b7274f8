import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readList, refreshMs } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Filter } from '../../../kit/list/controls.tsx'
import { List } from '../../../kit/list/list.tsx'
import type { ListSearch } from '../../../kit/list/search.ts'
import type { Column } from '../../../kit/list/table.tsx'
import { Page } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { t } from '../../../texts/texts.ts'
import { EntryDrawer } from './entry.tsx'
import { type AuditSearch, type Period, periods, scopes } from './search.ts'
import {
  actionWords,
  actorWords,
  type Entry,
  fieldWords,
  kindLabel,
  subjectKinds,
  subjectName,
  valueWords,
} from './words.ts'

const perPage = 50
const days: Record<Period, number> = { day: 1, week: 7, month: 30 }
const dayMs = 86_400_000

/** Who changed what, when, and what it was before. */
export function AuditLog() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/settings/audit-log' })
  const navigate = useNavigate({ from: '/$slug/settings/audit-log' })
  const { who, kind, subject, period, page = 1 } = search
  const of = useMay('superadmin') ? search.of : undefined
  // Fixed while the page is open: a period that moves on with each render would load without end.
  const [openedAt] = useState(() => Date.now())
  const filter = {
    page,
    per_page: perPage,
    ...(who ? { actor: who } : {}),
    ...(kind ? { subject_kind: kind } : {}),
    ...(subject ? { subject_id: subject } : {}),
    ...(period ? { from: new Date(openedAt - days[period] * dayMs).toISOString() } : {}),
  }
  const isOfInstallation = of === 'installation'
  const kept = { refetchInterval: refreshMs, placeholderData: keepPreviousData }
  const ofShop = useQuery({
    ...readList('/v1/shops/{slug}/audit-log', { params: { path: { slug }, query: filter } }),
    ...kept,
    enabled: !isOfInstallation,
  })
  const ofInstallation = useQuery({
    ...readList('/v1/audit-log', { params: { query: filter } }),
    ...kept,
    enabled: isOfInstallation,
  })
  const query = isOfInstallation ? ofInstallation : ofShop
  const change = (given: AuditSearch & ListSearch) =>
    void navigate({ search: (before) => ({ ...before, entry: undefined, ...given }) })
  const open = query.data?.rows.find(({ uuid }) => uuid === search.entry)
  return (
    <Page title={t('audit.title')} lead={t('audit.lead')}>
      <List
        label={t('audit.title')}
        query={query}
        columns={columns}
        keyOf={({ uuid }) => uuid}
        nameOf={actionWords}
        search={{ who, kind, subject, period, of, page: search.page } as ListSearch}
        onSearch={change}
        perPage={perPage}
        filters={<Filters search={search} rows={query.data?.rows ?? []} onChange={change} />}
        empty={<Empty title={t('audit.empty')}>{t('audit.empty_text')}</Empty>}
      />
      {open && <EntryDrawer entry={open} onClose={() => change({})} />}
    </Page>
  )
}

interface FiltersProps {
  search: AuditSearch
  rows: readonly Entry[]
  onChange: (change: AuditSearch) => void
}

function Filters({ search, rows, onChange }: FiltersProps) {
  const slug = useSlug()
  const mayReadInstallation = useMay('superadmin')
  const { data: colleagues } = useQuery(
    readList('/v1/shops/{slug}/colleagues', { params: { path: { slug }, query: { per_page: 100 } } }),
  )
  const known = [
    ...(search.who ? [search.who] : []),
    ...(colleagues?.rows ?? []).map(({ name }) => name),
    ...rows.flatMap(({ actor }) => actor.name ?? []),
  ]
  const names = [...new Set(known)].map((name) => ({ value: name, label: name }))
  const kinds = subjectKinds.map((kind) => ({ value: kind as string, label: kindLabel(kind) }))
  const first = (chosen: string[]) => ({ page: undefined, subject: undefined, value: chosen[0] })
  return (
    <>
      <Filter
        label={t('audit.who')}
        isSingle
        choices={names}
        chosen={search.who ? [search.who] : []}
        onChange={(chosen) => onChange({ page: undefined, who: chosen[0] })}
      />
      <Filter
        label={t('audit.what')}
        isSingle
        choices={kinds.toSorted((left, right) => left.label.localeCompare(right.label))}
        chosen={search.kind ? [search.kind] : []}
        onChange={(chosen) => {
          const { value: kind, ...rest } = first(chosen)
          onChange({ ...rest, kind })
        }}
      />
      <Filter
        label={t('audit.period')}
        isSingle
        choices={periods.map((period) => ({ value: period, label: t(`audit.periods.${period}`) }))}
        chosen={search.period ? [search.period] : []}
        onChange={([period]) => onChange({ page: undefined, period })}
      />
      {mayReadInstallation && (
        <Filter
          label={t('audit.scope')}
          isSingle
          choices={scopes.map((scope) => ({ value: scope, label: t(`audit.scopes.${scope}`) }))}
          chosen={search.of ? [search.of] : []}
          onChange={([of]) => onChange({ page: undefined, of })}
        />
      )}
    </>
  )
}

const columns: readonly Column<Entry>[] = [
  { name: 'what', label: t('audit.what'), cell: (entry) => <What entry={entry} /> },
  { name: 'changes', label: t('audit.changes'), cell: (entry) => <Summary entry={entry} /> },
  { name: 'who', label: t('audit.who'), cell: ({ actor }) => <Who actor={actor} /> },
  { name: 'when', label: t('audit.when'), cell: ({ recorded_at }) => <RelativeTime at={recorded_at} /> },
]

function What({ entry }: { entry: Entry }) {
  const slug = useSlug()
  const name = subjectName(entry.subject)
  return (
    <div className="audit-what">
      <Link
        to="/$slug/settings/audit-log"
        params={{ slug }}
        search={(before) => ({ ...before, entry: entry.uuid })}
        className="strong"
      >
        {actionWords(entry)}
      </Link>
      {name && <span className="soft truncate">{name}</span>}
    </div>
  )
}

/** The first field before and after, and how many more there are. */
function Summary({ entry }: { entry: Entry }) {
  const [first, ...others] = Object.entries(entry.changes)
  if (first === undefined) return <span className="soft">{t('audit.value.none')}</span>
  const [field, { before, after }] = first
  return (
    <div className="audit-summary">
      <span className="truncate">
        <span className="soft">{fieldWords(field)}: </span>
        {before !== null && <del>{valueWords(before)}</del>}
        {before !== null && ' → '}
        {valueWords(after)}
      </span>
      {others.length > 0 && <span className="soft small">{t('audit.more_fields', { count: others.length })}</span>}
    </div>
  )
}

function Who({ actor }: { actor: Entry['actor'] }) {
  return (
    <div className="audit-who">
      <span className="truncate">{actorWords(actor)}</span>
      {actor.name !== null && <span className="soft small">{t(`audit.actor.${actor.kind}`)}</span>}
    </div>
  )
}
