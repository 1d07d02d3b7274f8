import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { readList, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { formatNumber } from '../../kit/format.ts'
import { List } from '../../kit/list/list.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { ColumnGuide } from './column-guide.tsx'
import { Upload } from './upload.tsx'
import { type ImportSummary, importsPath, isRunning, progressMs } from './use-upload.ts'
import { stateOf } from './words.ts'

const perPage = 20

/** Orders from a file: a new one, what it may contain, and those before. */
export function Imports() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/imports' })
  const navigate = useNavigate({ from: '/$slug/imports' })
  const query = useQuery({
    ...readList(importsPath, { params: { path: { slug }, query: { page: search.page ?? 1, per_page: perPage } } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.rows.some(isRunning) ? progressMs : refreshMs),
  })
  return (
    <Page title={t('nav.imports')} lead={t('imports.lead')}>
      <div className="pair">
        <Upload />
        <ColumnGuide />
      </div>
      <div className="stack tight">
        <h2>{t('imports.earlier')}</h2>
        <List<ImportSummary>
          label={t('imports.earlier')}
          query={query}
          keyOf={({ id }) => id}
          nameOf={({ filename }) => filename}
          search={search}
          onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
          perPage={perPage}
          empty={<Empty title={t('imports.none')}>{t('imports.none_text')}</Empty>}
          columns={[
            {
              name: 'file',
              label: t('imports.file'),
              cell: ({ id, filename }) => (
                <Link to="/$slug/imports/$importId" params={{ slug, importId: id }}>
                  {filename}
                </Link>
              ),
            },
            {
              name: 'state',
              label: t('imports.state'),
              cell: (found) => {
                const { tone, words } = stateOf(found)
                return <Badge tone={tone}>{words}</Badge>
              },
            },
            { name: 'rows', label: t('imports.rows'), isNumber: true, cell: ({ rows }) => formatNumber(rows) },
            {
              name: 'created',
              label: t('imports.created'),
              isNumber: true,
              cell: ({ created }) => formatNumber(created),
            },
            {
              name: 'updated',
              label: t('imports.updated'),
              isNumber: true,
              cell: ({ updated }) => formatNumber(updated),
            },
            {
              name: 'failed',
              label: t('imports.failed'),
              isNumber: true,
              cell: ({ failed }) => formatNumber(failed),
            },
            { name: 'at', label: t('imports.when'), cell: ({ created_at }) => <RelativeTime at={created_at} /> },
          ]}
        />
      </div>
    </Page>
  )
}
