import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { read, readList } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { List } from '../../kit/list/list.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { chanceWords, nameOf, periodWords, statusTones, type Test, verdictTones } from './verdict-words.ts'

/** Few on a page, because the results of each are counted for it. */
const perPage = 10

export function AbTests() {
  const slug = useSlug()
  const mayEdit = useMay('editor')
  const search = useSearch({ from: '/signed-in/$slug/marketing/ab-tests' })
  const navigate = useNavigate({ from: '/$slug/marketing/ab-tests' })
  const query = useQuery({
    ...readList('/v1/shops/{slug}/ab-tests', {
      params: { path: { slug }, query: { page: search.page ?? 1, per_page: perPage } },
    }),
    placeholderData: keepPreviousData,
  })
  const create = mayEdit && (
    <ButtonLink variant="primary" icon="plus" to="/$slug/marketing/ab-tests/new" params={{ slug }}>
      {t('ab_tests.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.ab_tests')} lead={t('ab_tests.lead')} actions={create}>
      <List<Test>
        label={t('nav.ab_tests')}
        query={query}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
        perPage={perPage}
        empty={
          <Empty title={t('ab_tests.empty')} action={create}>
            {t('ab_tests.empty_text')}
          </Empty>
        }
        columns={[
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
        ]}
      />
    </Page>
  )
}

/** What a test says so far. The results of one that has ended do not change any more. */
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
