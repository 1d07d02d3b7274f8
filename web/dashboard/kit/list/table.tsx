import type { KeyboardEvent, ReactNode } from 'react'
import { t } from '../../texts/texts.ts'
import { Icon } from '../icon.tsx'

export interface Column<Row> {
  name: string
  label: string
  cell: (row: Row) => ReactNode
  /** The list can be sorted by it. */
  isSortable?: boolean
  /** Numbers stand at the right. */
  isNumber?: boolean
  /** Not shown unless it is chosen. */
  isOptional?: boolean
}

export interface Selection {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

interface TableProps<Row> {
  /** The contents of the table, for screen readers. */
  label: string
  /** The first column holds the link to the row's page. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The name of a row in the label of its checkbox: "Select order 1042". */
  nameOf: (row: Row) => string
  selection?: Selection | undefined
  sort?: string | undefined
  onSort?: ((sort: string) => void) | undefined
  /** Rows that need attention. */
  isMarked?: ((row: Row) => boolean) | undefined
}

/**
 * A table with a sticky header. On narrow screens each row becomes a card with the same information in the same order.
 * J and K move between rows, Enter opens one, X chooses it.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, nameOf, selection, sort, onSort, isMarked } = props
  const keys = rows.map(keyOf)
  const isAllChosen = selection !== undefined && keys.length > 0 && keys.every((key) => selection.chosen.has(key))
  const toggle = (key: string) => {
    if (selection === undefined) return
    const chosen = new Set(selection.chosen)
    if (!chosen.delete(key)) chosen.add(key)
    selection.onChange(chosen)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'x' || isTyping(event.target)) return
    const key = (event.target as HTMLElement).closest('tr')?.dataset.key
    if (key !== undefined) toggle(key)
  }
  return (
    <div className="table-frame">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th className="choose">
                <input
                  type="checkbox"
                  aria-label={t('list.choose_all')}
                  checked={isAllChosen}
                  onChange={() => selection.onChange(isAllChosen ? new Set() : new Set(keys))}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody data-list onKeyDown={onKeyDown}>
          {rows.map((row) => {
            const key = keyOf(row)
            return (
              <tr key={key} data-key={key} className={isMarked?.(row) ? 'marked' : undefined}>
                {selection && (
                  <td className="choose">
                    <input
                      type="checkbox"
                      aria-label={t('list.choose', { name: nameOf(row) })}
                      checked={selection.chosen.has(key)}
                      onChange={() => toggle(key)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.name} data-label={column.label} className={column.isNumber ? 'number' : undefined}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface HeaderCellProps<Row> {
  column: Column<Row>
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
}

function HeaderCell<Row>({ column: { name, label, isSortable, isNumber }, sort, onSort }: HeaderCellProps<Row>) {
  const isDescending = sort === `-${name}`
  const isSorted = isDescending || sort === name
  if (!isSortable || onSort === undefined) {
    return (
      <th scope="col" className={isNumber ? 'number' : undefined}>
        {label}
      </th>
    )
  }
  return (
    <th
      scope="col"
      className={isNumber ? 'number' : undefined}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      {/* The newest and the largest first: that is what people look for. */}
      <button type="button" className="sort" onClick={() => onSort(isDescending ? name : `-${name}`)}>
        {label}
        {isSorted && <Icon name={isDescending ? 'down' : 'up'} />}
      </button>
    </th>
  )
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
