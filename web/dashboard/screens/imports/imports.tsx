import { Link } from '@tanstack/react-router'
import { readList, refreshMs } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { Badge } from '../../kit/badge.tsx'
import { formatNumber } from '../../kit/format.ts'
import type { ListSearch } from '../../kit/list/search.ts'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { ColumnGuide } from './column-guide.tsx'
import { Upload } from './upload.tsx'
import { type ImportSummary, importsPath, isRunning, progressMs } from './use-upload.ts'
import { stateOf } from './words.ts'

const perPage = 20

/** Orders from a file: a new import, the columns of its file, and earlier imports. */
export const Imports = listScreen<ImportSummary, ListSearch>({
  title: t('nav.imports'),
  lead: t('imports.lead'),
  Above: () => (
    <div className="pair">
      <Upload />
      <ColumnGuide />
    </div>
  ),
  heading: t('imports.earlier'),
  useRows: (slug, { page = 1 }) =>
    useListQuery({
      ...readList(importsPath, { params: { path: { slug }, query: { page, per_page: perPage } } }),
      refetchInterval: ({ state }) => (state.data?.rows.some(isRunning) ? progressMs : refreshMs),
    }),
  perPage,
  keyOf: ({ id }) => id,
  nameOf: ({ filename }) => filename,
  useColumns: ({ slug }) => [
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
  ],
  empty: { title: t('imports.none'), text: t('imports.none_text') },
})
