import type { UseQueryResult } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import type { ListFilter } from '../kit/list/filters.ts'
import { List, type ListResult } from '../kit/list/list.tsx'
import { type ListSearch, type RawSearch, stringifySearch } from '../kit/list/search.ts'
import type { Column } from '../kit/list/table.tsx'
import { Page } from '../kit/page.tsx'
import { Empty } from '../kit/states.tsx'
import { useChangeOfList } from './list-state.ts'
import { type RememberedList, rememberList } from './remembered-list.ts'
import { SavedViews, type ViewedScreen } from './saved-views.tsx'
import { type Role, useMay, useSlug } from './session.ts'

/** The current state of a list, on which its columns, filters and surroundings may depend. */
export interface Listed<Row, Search> {
  slug: string
  search: Search
  /** Changes the state in the address. */
  change: (change: Search) => void
  /** The page that was loaded; undefined until it has arrived. */
  result: ListResult<Row> | undefined
  rows: readonly Row[]
  /** Opens the dialog of a row. */
  open: (row: Row) => void
}

/**
 * A list screen. Functions that begin with `use` may use hooks. The rest is built in: search, filters, order, paging,
 * states, selection, keyboard, the address.
 */
export interface ListScreen<Row, Search extends ListSearch> {
  title: string
  lead?: string
  /** The query of the page in the address: `useListQuery(readList(...))`. */
  useRows: (slug: string, search: Search) => UseQueryResult<ListResult<Row>>
  perPage: number
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  useColumns: (list: Listed<Row, Search>) => readonly Column<Row>[]
  useFilters?: (list: Listed<Row, Search>) => readonly ListFilter<Search>[]
  /** Words of the search box; absent: the list cannot be searched. */
  searchLabel?: string
  /** The order if the address names none. */
  usualSort?: string
  /** Names in the address that are not about which rows are listed, such as the dialog that is open. */
  besides?: readonly (keyof Search)[]
  /** Filters can be saved as views under this name. */
  views?: ViewedScreen
  /** The way back from a record leads to the list as it was left. */
  remembered?: RememberedList
  /** Actions for the selected rows, for people with the role. */
  bulk?: { needs: Role; Actions: ComponentType<{ rows: readonly Row[]; onDone: () => void }> }
  /** Makes a new record: at the top of the page, and in an empty list. */
  create?: {
    needs: Role
    Button: ComponentType<{ onOpen: () => void }>
    Dialog?: ComponentType<{ onClose: () => void }>
  }
  /** The dialog that `open` of the list shows for a row. It stays open when the row leaves the list. */
  RowDialog?: ComponentType<{ row: Row; search: Search; onClose: () => void }>
  /** Shown if there are no records at all. */
  empty: { title: string; text: string }
  /** Rows that need attention. */
  isMarked?: (row: Row) => boolean
  /** A list with another key starts over: new rows are shown at once. */
  keyOfList?: (search: Search) => string | undefined
  /** The heading above the list, if the page has more than the list. */
  heading?: string
  /** Shown at the top right instead of `create`. */
  useActions?: () => ReactNode
  Back?: ComponentType
  Above?: ComponentType<Listed<Row, Search>>
  /** Dialogs of the list. */
  Below?: ComponentType<Listed<Row, Search>>
}

/** Makes the component of a screen from its declaration. */
export function listScreen<Row, Search extends ListSearch>(screen: ListScreen<Row, Search>): ComponentType {
  const { title, lead, create, empty, bulk, views, heading, Back, Above, Below, RowDialog } = screen
  return function ListPage() {
    const slug = useSlug()
    const found: RawSearch = useSearch({ strict: false })
    const search = found as Search // as the route of this page has read it
    const change = useChangeOfList()
    const query = screen.useRows(slug, search)
    const rows = query.data?.rows ?? []
    const [opened, open] = useState<Row>()
    const [isCreating, setCreating] = useState(false)
    const list: Listed<Row, Search> = { slug, search, change, result: query.data, rows, open }
    const columns = screen.useColumns(list)
    const filters = screen.useFilters?.(list)
    const mayAct = useMay(bulk?.needs ?? 'viewer')
    const mayCreate = useMay(create?.needs ?? 'viewer')
    const button = create && mayCreate && <create.Button onOpen={() => setCreating(true)} />
    const actions = screen.useActions ? screen.useActions() : button
    useRemembered(screen.remembered, search)
    const label = heading ?? title
    const shown = (
      <List
        key={screen.keyOfList?.(search)}
        label={label}
        query={query}
        columns={columns}
        keyOf={screen.keyOf}
        nameOf={screen.nameOf}
        search={without(search, screen.besides)}
        onSearch={change}
        perPage={screen.perPage}
        usualSort={screen.usualSort}
        searchLabel={screen.searchLabel}
        filters={filters}
        tools={views && <SavedViews screen={views} search={search} />}
        bulk={
          bulk && mayAct
            ? (keys, onDone) => (
                <bulk.Actions rows={rows.filter((row) => keys.includes(screen.keyOf(row)))} onDone={onDone} />
              )
            : undefined
        }
        empty={
          <Empty title={empty.title} action={button}>
            {empty.text}
          </Empty>
        }
        isMarked={screen.isMarked}
      />
    )
    return (
      <Page title={title} lead={lead} actions={actions} back={Back && <Back />}>
        {Above && <Above {...list} />}
        {heading === undefined ? (
          shown
        ) : (
          <div className="stack tight">
            <h2>{heading}</h2>
            {shown}
          </div>
        )}
        {Below && <Below {...list} />}
        {RowDialog && opened !== undefined && (
          <RowDialog row={opened} search={search} onClose={() => open(undefined)} />
        )}
        {create?.Dialog && isCreating && <create.Dialog onClose={() => setCreating(false)} />}
      </Page>
    )
  }
}

function useRemembered(name: RememberedList | undefined, search: ListSearch): void {
  const query = stringifySearch(search as RawSearch)
  useEffect(() => {
    if (name !== undefined) rememberList(name, query)
  }, [name, query])
}

function without<Search extends ListSearch>(search: Search, names: readonly (keyof Search)[] = []): Search {
  const kept = Object.entries(search).filter(([name]) => !names.some((other) => other === name))
  return Object.fromEntries(kept) as Search // every name may be missing
}
