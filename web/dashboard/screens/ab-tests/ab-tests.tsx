import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read, readList } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import type { ListSearch } from '../../kit/list/search.ts'
import { t } from '../../texts/texts.ts'
import { chanceWords, nameOf, periodWords, statusTones, type Test, verdictTones } from './verdict-words.ts'

/** Few on a page, because the results of each are counted for it. */
const perPage = 10

export const AbTests = listScreen<Test, ListSearch>({
  title: t('nav.ab_tests'),
  lead: t('ab_tests.lead'),
  useRows: (slug, { page = 1 }) =>
    useListQuery({
      ...readList('/v1/shops/{slug}/ab-tests', { params: { path: { slug }, query: { page, per_page: perPage } } }),
      refetchInterval: false,
    }),
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  useColumns: ({ slug }) => [
    {
      name: 'name',
      label: t('ab_tests.name'),
      cell: ({ uuid, name }) => (
        <Link to="/$slug/marketing/ab-tests/$uuid" params={{ slug, uuid }}>
          {name}
        </Link>
      ),
    },
    {
      name: 'status',
      label: t('ab_tests.status_label'),
      cell: ({ status }) => <Badge tone={statusTones[status]}>{t(`ab_tests.status.${status}`)}</Badge>,
    },
    { name: 'leader', label: t('ab_tests.result'), cell: (test) => <Leader test={test} /> },
    { name: 'segment', label: t('ab_tests.segment'), cell: ({ segment }) => segment },
    { name: 'period', label: t('ab_tests.period'), cell: periodWords },
  ],
  create: { needs: 'editor', Button: CreateTest },
  empty: { title: t('ab_tests.empty'), text: t('ab_tests.empty_text') },
})

function CreateTest() {
  return (
    <ButtonLink variant="primary" icon="plus" to="/$slug/marketing/ab-tests/new" params={{ slug: useSlug() }}>
      {t('ab_tests.new')}
    </ButtonLink>
  )
}

/** The verdict of a test until now. The results of one that has ended do not change any more. */
function Leader({ test: { uuid, status } }: { test: Test }) {
  const slug = useSlug()
  const { data } = useQuery({
    ...read('/v1/shops/{slug}/ab-tests/{uuid}/results', { params: { path: { slug, uuid } } }),
    enabled: status !== 'scheduled',
    staleTime: status === 'completed' ? Number.POSITIVE_INFINITY : 60_000,
  })
  if (status === 'scheduled') return <span className="soft">{t('ab_tests.not_started')}</span>
  if (data === undefined) return <span className="skeleton line-2" aria-busy="true" />
  const { verdict } = data
  const isAhead = verdict.kind === 'better' || verdict.kind === 'leading'
  return (
    <div className="stack tight ab-leader">
      <Badge tone={verdictTones[verdict.kind]}>{t(`ab_tests.kind.${verdict.kind}`)}</Badge>
      {isAhead && (
        <span className="small">
          {t('ab_tests.leader', { name: nameOf(data, verdict.campaign_id), chance: chanceWords(verdict.chance ?? 0) })}
        </span>
      )}
    </div>
  )
}
