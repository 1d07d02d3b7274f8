import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../texts/texts.ts'
import { Button } from '../button.tsx'
import { Problem } from '../problem.tsx'
import { BulkBar, ColumnsMenu, Filter, Paging, SearchBox } from './controls.tsx'
import type { ListFilter } from './filters.ts'
import { fromFirstPage, isFiltered, type ListSearch, scopeOf, withoutFilters } from './search.ts'
import { type Column, Table } from './table.tsx'
import { useSteadyRows } from './use-steady-rows.ts'

/** One page of rows, as a list's query returns it. */
export interface ListResult<Row> {
  rows: readonly Row[]
  total: number | undefined
  isEstimate?: boolean
  hasNext: boolean
  /** False: the list ends before the records do. */
  isComplete?: boolean
}

interface ListProps<Row, Search extends ListSearch> {
  label: string
  query: UseQueryResult<ListResult<Row>>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** The list's state in the address, and how to change it. A change of anything but the page leads to the first page. */
  search: Search
  onSearch: (change: ListSearch) => void
  perPage: number
  /** Words of the search box; absent: the list cannot be searched. */
  searchLabel?: string | undefined
  /** The order if the address names none. */
  usualSort?: string | undefined
  filters?: readonly ListFilter<Search>[] | undefined
  /** Beside the filters: saved views and the like. */
  tools?: ReactNode
  /** Actions for the selected rows; absent: rows cannot be selected. */
  bulk?: ((keys: string[], clear: () => void) => ReactNode) | undefined
  /** Shown if the list has no rows at all. If only the filters leave none, the list shows a text of its own. */
  empty: ReactNode
  isMarked?: ((row: Row) => boolean) | undefined
}

/** A whole list: search, filters, table, bulk bar and paging, in every state. */
export function List<Row, Search extends ListSearch>(props: ListProps<Row, Search>) {
  const {
    label,
    query,
    columns,
    keyOf,
    nameOf,
    search,
    onSearch,
    perPage,
    searchLabel,
    usualSort,
    filters = [],
    tools,
    bulk,
  } = props
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { columns: chosenColumns, page = 1 } = search
  const scope = scopeOf(search)
  const { rows, newCount, showNew } = useSteadyRows({
    rows: query.data?.rows ?? [],
    keyOf,
    scope,
    isOfBefore: query.isPlaceholderData,
  })
  const names = chosenColumns ?? columns.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  const shownColumns = columns.filter(({ name }, index) => index === 0 || names.includes(name))
  const keys = rows.map(keyOf).filter((key) => chosen.has(key))
  const change = (given: ListSearch) => onSearch(fromFirstPage(given))
  const clear = () => setChosen(new Set())
  return (
    <section className="list" aria-label={label}>
      {keys.length > 0 && bulk ? (
        <BulkBar count={keys.length} onClear={clear}>
          {bulk(keys, clear)}
        </BulkBar>
      ) : (
        <div className="list-controls row">
          {searchLabel && (
            <SearchBox
              label={searchLabel}
              value={search.q ?? ''}
              onChange={(q) => change({ q: q === '' ? undefined : q })}
            />
          )}
          {filters.map((filter) => (
            <Filter
              key={filter.label}
              label={filter.label}
              choices={filter.choices}
              chosen={filter.chosen}
              onChange={(values) => change(filter.change(values))}
              isSingle={filter.isSingle}
            />
          ))}
          <div className="row list-tools">
            {tools}
            {columns.some(({ isOptional }) => isOptional) && (
              <ColumnsMenu columns={columns} shown={names} onChange={(shown) => onSearch({ columns: shown })} />
            )}
          </div>
        </div>
      )}
      {newCount > 0 && (
        <div className="new-rows">
          <Button isSmall icon="up" onClick={showNew}>
            {t('list.new_rows', { count: newCount })}
          </Button>
        </div>
      )}
      {query.isPending ? (
        <SkeletonTable label={label} columns={shownColumns.length} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : rows.length === 0 && page === 1 ? (
        isFiltered(search) ? (
          <NothingFound onClear={() => onSearch(withoutFilters(search))} />
        ) : (
          props.empty
        )
      ) : (
        <>
          <Table
            label={label}
            columns={shownColumns}
            rows={rows}
            keyOf={keyOf}
            nameOf={nameOf}
            selection={bulk && { chosen, onChange: setChosen }}
            sort={search.sort ?? usualSort}
            onSort={(sort) => change({ sort })}
            isMarked={props.isMarked}
          />
          <Paging
            page={page}
            perPage={perPage}
            shown={rows.length}
            total={query.data.total}
            isEstimate={query.data.isEstimate}
            hasNext={query.data.hasNext}
            onPage={(next) => {
              clear()
              onSearch({ page: next })
            }}
          />
        </>
      )}
    </section>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className="empty stack">
      <p className="strong">{t('list.nothing_found')}</p>
      <p className="soft">{t('list.nothing_found_hint')}</p>
      <div className="row center">
        <Button onClick={onClear}>{t('list.clear_all')}</Button>
      </div>
    </div>
  )
}

function SkeletonTable({ label, columns }: { label: string; columns: number }) {
  const lines = Array.from({ length: 8 }, (_, index) => index)
  const cells = Array.from({ length: Math.max(columns, 1) }, (_, index) => index)
  return (
    <div className="skeleton-table" aria-busy="true">
      <span className="unseen">
        {label}: {t('kit.loading')}
      </span>
      {lines.map((line) => (
        <div key={line} className="skeleton-row" aria-hidden="true">
          {cells.map((cell) => (
            <span key={cell} className={`skeleton line-${((line + cell) % 3) + 1}`} />
          ))}
        </div>
      ))}
    </div>
  )
}
