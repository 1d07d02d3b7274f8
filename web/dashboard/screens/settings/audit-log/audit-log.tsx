import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { readList } from '../../../app/api.ts'
import { useListQuery } from '../../../app/list-query.ts'
import { type Listed, listScreen } from '../../../app/list-screen.tsx'
import { useMay, useSlug } from '../../../app/session.ts'
import { choicesIn, choicesOf, type ListFilter, one } from '../../../kit/list/filters.ts'
import type { Column } from '../../../kit/list/table.tsx'
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

const columns: readonly Column<Entry>[] = [
  { name: 'what', label: t('audit.what'), cell: (entry) => <What entry={entry} /> },
  { name: 'changes', label: t('audit.changes'), cell: (entry) => <Summary entry={entry} /> },
  { name: 'who', label: t('audit.who'), cell: ({ actor }) => <Who actor={actor} /> },
  { name: 'when', label: t('audit.when'), cell: ({ recorded_at }) => <RelativeTime at={recorded_at} /> },
]

/** The log of changes: who changed what, when, and the value before. */
export const AuditLog = listScreen<Entry, AuditSearch>({
  title: t('audit.title'),
  lead: t('audit.lead'),
  useRows: useEntries,
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf: actionWords,
  useColumns: () => columns,
  useFilters,
  besides: ['entry', 'q', 'sort', 'columns'],
  Below: OpenEntry,
  empty: { title: t('audit.empty'), text: t('audit.empty_text') },
})

function useEntries(slug: string, { who, kind, subject, period, of, page = 1 }: AuditSearch) {
  const isOfInstallation = useMay('superadmin') && of === 'installation'
  // Fixed while the page is open: a period that moves on with each render would load without end.
  const [openedAt] = useState(() => Date.now())
  const query = {
    page,
    per_page: perPage,
    ...(who ? { actor: who } : {}),
    ...(kind ? { subject_kind: kind } : {}),
    ...(subject ? { subject_id: subject } : {}),
    ...(period ? { from: new Date(openedAt - days[period] * dayMs).toISOString() } : {}),
  }
  const ofShop = useListQuery({
    ...readList('/v1/shops/{slug}/audit-log', { params: { path: { slug }, query } }),
    enabled: !isOfInstallation,
  })
  const ofInstallation = useListQuery({
    ...readList('/v1/audit-log', { params: { query } }),
    enabled: isOfInstallation,
  })
  return isOfInstallation ? ofInstallation : ofShop
}

function useFilters({ slug, search, rows }: Listed<Entry, AuditSearch>): ListFilter<AuditSearch>[] {
  const mayReadInstallation = useMay('superadmin')
  const { data: colleagues } = useQuery(
    readList('/v1/shops/{slug}/colleagues', { params: { path: { slug }, query: { per_page: 100 } } }),
  )
  const known = [
    search.who,
    ...(colleagues?.rows ?? []).map(({ name }) => name),
    ...rows.map(({ actor }) => actor.name),
  ]
  const names = [...new Set(known.flatMap((name) => name ?? []))]
  const ofKind = one(search, 'kind', t('audit.what'), choicesIn(subjectKinds, kindLabel))
  return [
    one(search, 'who', t('audit.who'), choicesOf(names, String)),
    // Another kind has other records.
    { ...ofKind, change: (chosen) => ({ ...ofKind.change(chosen), subject: undefined }) },
    one(
      search,
      'period',
      t('audit.period'),
      choicesOf(periods, (period) => t(`audit.periods.${period}`)),
    ),
    ...(mayReadInstallation
      ? [
          one(
            search,
            'of',
            t('audit.scope'),
            choicesOf(scopes, (scope) => t(`audit.scopes.${scope}`)),
          ),
        ]
      : []),
  ]
}

function OpenEntry({ search, change, rows }: Listed<Entry, AuditSearch>) {
  const open = rows.find(({ uuid }) => uuid === search.entry)
  return open && <EntryDrawer entry={open} onClose={() => change({ entry: undefined })} />
}

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
