import { useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../kit/button.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { formatNumber } from '../../kit/format.ts'
import { Filter, Paging, SearchBox } from '../../kit/list/controls.tsx'
import { Table } from '../../kit/list/table.tsx'
import { Card } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import type { ImportProblem, ImportRecord } from './use-upload.ts'
import { reasonOf } from './words.ts'

const perPage = 50

/** Every stored problem, by row; filtered and paged here, because there are at most a thousand. */
export function Report({ found }: { found: ImportRecord }) {
  const { column, q = '', page = 1 } = useSearch({ from: '/signed-in/$slug/imports/$importId' })
  const navigate = useNavigate({ from: '/$slug/imports/$importId' })
  const { problems, problem_count } = found
  if (problems.length === 0) {
    // One that ended early says nothing about the rows that it has not read.
    if (found.status !== 'completed') return null
    return <Empty title={t('imports.no_problems')}>{t('imports.no_problems_text')}</Empty>
  }
  const change = (search: { column?: string | undefined; q?: string | undefined; page?: number | undefined }) =>
    navigate({ search: (before) => ({ ...before, page: undefined, ...search }), replace: 'q' in search })
  const matching = problems.filter((problem) => isMatching(problem, column, q.trim().toLowerCase()))
  const shown = matching.slice((page - 1) * perPage, page * perPage)
  return (
    <Card
      title={t('imports.problems', { count: problem_count })}
      aside={
        <Button isSmall icon="download" onClick={() => saveReport(found)}>
          {t('imports.download')}
        </Button>
      }
    >
      {problem_count > problems.length && (
        <p className="soft">
          {t('imports.first_problems', { shown: formatNumber(problems.length), count: problem_count })}
        </p>
      )}
      <div className="list-controls row">
        <SearchBox
          label={t('imports.find_problem')}
          value={q}
          onChange={(typed) => change({ q: typed || undefined })}
        />
        <Filter
          label={t('imports.column_label')}
          isSingle
          choices={columnsOf(problems)}
          chosen={column ? [column] : []}
          onChange={([chosen]) => change({ column: chosen })}
        />
      </div>
      {matching.length === 0 ? (
        <p className="soft">{t('list.nothing_found')}</p>
      ) : (
        <>
          <Table<ImportProblem>
            label={t('imports.report')}
            rows={shown}
            keyOf={(problem) => String(problems.indexOf(problem))}
            nameOf={({ row }) => t('imports.row_number', { row: String(row) })}
            columns={[
              {
                name: 'row',
                label: t('imports.row'),
                cell: ({ row }) => t('imports.row_number', { row: String(row) }),
              },
              {
                name: 'column',
                label: t('imports.column_label'),
                cell: ({ column }) => (column === null ? t('imports.whole_row') : <code>{column}</code>),
              },
              {
                name: 'value',
                label: t('imports.value'),
                cell: ({ value }) =>
                  value ? (
                    <code className="cell-value">{value}</code>
                  ) : (
                    <span className="soft">{t('imports.empty')}</span>
                  ),
              },
              { name: 'reason', label: t('imports.reason_label'), cell: reasonOf },
            ]}
          />
          <Paging
            page={page}
            perPage={perPage}
            shown={shown.length}
            total={matching.length}
            hasNext={matching.length > page * perPage}
            onPage={(next) => navigate({ search: (before) => ({ ...before, page: next > 1 ? next : undefined }) })}
          />
        </>
      )}
    </Card>
  )
}

/** A problem of a whole row stands under a name that no column has. */
const wholeRow = '(row)'

function isMatching(problem: ImportProblem, column: string | undefined, words: string): boolean {
  if (column !== undefined && (problem.column ?? wholeRow) !== column) return false
  if (words === '') return true
  return [String(problem.row), problem.column, problem.value, reasonOf(problem)].some((text) =>
    text?.toLowerCase().includes(words),
  )
}

/** The columns with problems, the worst first. */
function columnsOf(problems: readonly ImportProblem[]): { value: string; label: string }[] {
  const counts = new Map<string, number>()
  for (const { column } of problems) counts.set(column ?? wholeRow, (counts.get(column ?? wholeRow) ?? 0) + 1)
  return [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([value, count]) => ({
      value,
      label: `${value === wholeRow ? t('imports.whole_row') : value} (${formatNumber(count)})`,
    }))
}

function saveReport({ filename, problems }: ImportRecord): void {
  const rows = problems.map((problem) => ({
    [t('imports.row')]: problem.row,
    [t('imports.column_label')]: problem.column,
    [t('imports.value')]: problem.value,
    [t('imports.reason_label')]: reasonOf(problem),
  }))
  saveCsv(`${filename.replace(/\.[^.]*$/, '')}-${t('imports.report_file')}.csv`, rows)
}
