import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../texts/texts.ts'
import { Button } from '../button.tsx'
import type { Choice } from '../field.tsx'
import { formatNumber } from '../format.ts'
import { Icon } from '../icon.tsx'
import { Choices } from './choices.tsx'

interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
}

const pauseMs = 250

/** The one search box of a list; `/` moves the focus here. The address follows when the typing pauses. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    // The address changed by Back or by a view, not by typing.
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  useEffect(() => {
    if (typed === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed
      onChange(typed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, onChange])
  return (
    <search className="search-box">
      <Icon name="search" />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  )
}

interface FilterProps<Value extends string> {
  label: string
  choices: readonly Choice<Value>[]
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
  /** Only one can be chosen. */
  isSingle?: boolean | undefined
}

/** A chip that opens the choices of one filter. Chosen ones are named on it. */
export function Filter<Value extends string>({
  label,
  choices,
  chosen,
  onChange,
  isSingle = false,
}: FilterProps<Value>) {
  const names = choices.filter(({ value }) => chosen.includes(value)).map((choice) => choice.label)
  return (
    <span className={`chip ${names.length > 0 ? 'active' : ''}`}>
      <Choices
        className="chip-button"
        button={
          <>
            {label}
            {names.length > 0 && <strong className="truncate">{names.join(', ')}</strong>}
            <Icon name="down" />
          </>
        }
        choices={choices}
        chosen={chosen}
        onChange={(values) => onChange(values as Value[])} // of the choices
        isSingle={isSingle}
      />
      {names.length > 0 && (
        <button type="button" className="chip-clear" onClick={() => onChange([])}>
          <Icon name="close" />
          <span className="unseen">{t('list.clear_filter', { name: label })}</span>
        </button>
      )}
    </span>
  )
}

interface PagingProps {
  page: number
  perPage: number
  shown: number
  /** Undefined: nobody counted. */
  total: number | undefined
  isEstimate?: boolean
  hasNext: boolean
  onPage: (page: number) => void
}

export function Paging({ page, perPage, shown, total, isEstimate = false, hasNext, onPage }: PagingProps) {
  const first = (page - 1) * perPage + 1
  const range = { from: formatNumber(first), to: formatNumber(first + shown - 1) }
  const words =
    total === undefined
      ? t('list.range', range)
      : t(isEstimate ? 'list.range_about' : 'list.range_of', { ...range, total: formatNumber(total) })
  return (
    <nav className="paging row apart" aria-label={t('list.pages')}>
      <p className="soft number">{shown === 0 ? t('list.none_on_page') : words}</p>
      <div className="row">
        <Button icon="left" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          {t('list.previous')}
        </Button>
        <Button icon="right" disabled={!hasNext} onClick={() => onPage(page + 1)}>
          {t('list.next')}
        </Button>
      </div>
    </nav>
  )
}

/** Actions for the selected rows. They replace the filters while rows are selected. */
export function BulkBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  return (
    <div className="bulk-bar row" role="toolbar" aria-label={t('list.bulk')}>
      <p className="strong" aria-live="polite">
        {t('list.chosen', { count })}
      </p>
      {children}
      <Button variant="quiet" onClick={onClear}>
        {t('list.choose_none')}
      </Button>
    </div>
  )
}

interface ColumnsMenuProps {
  columns: readonly { name: string; label: string }[]
  shown: readonly string[]
  onChange: (shown: string[]) => void
}

/** The menu of the columns that a table shows; the first one always stays. */
export function ColumnsMenu({ columns, shown, onChange }: ColumnsMenuProps) {
  return (
    <Choices
      className="button secondary"
      button={
        <>
          <Icon name="columns" />
          <span>{t('list.columns')}</span>
        </>
      }
      choices={columns.slice(1).map(({ name, label }) => ({ value: name, label }))}
      chosen={shown}
      onChange={onChange}
    />
  )
}
