/** The state of every list. It lives in the address, so that it can be shared, bookmarked and reached with Back. */
export interface ListSearch {
  q?: string | undefined
  page?: number | undefined
  /** A column's name; a leading minus means descending. */
  sort?: string | undefined
  /** The names of the columns shown, if they are not the usual ones. */
  columns?: readonly string[] | undefined
}

/** Values as they stand in an address: texts, and several under one name. */
export type RawSearch = Record<string, unknown>

/** Reads an address' query. Clean addresses: `?q=1042&phase=in_transit&phase=delivered`. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = found[name]
    if (before === undefined) found[name] = value
    else found[name] = Array.isArray(before) ? [...before, value] : [before, value]
  }
  return found
}

/** The inverse. Values that are undefined, empty or false are left out. */
export function stringifySearch(search: RawSearch): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '' && one !== false) query.append(name, String(one))
    }
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

export function textIn(search: RawSearch, name: string): string | undefined {
  const value = search[name]
  const first = Array.isArray(value) ? value[0] : value
  return first === undefined || first === '' ? undefined : String(first)
}

export function textsIn(search: RawSearch, name: string): string[] | undefined {
  const value = search[name]
  if (value === undefined) return undefined
  return (Array.isArray(value) ? value : [value]).map(String)
}

/** A day as YYYY-MM-DD. */
export function dayIn(search: RawSearch, name: string): string | undefined {
  const value = textIn(search, name)
  return value !== undefined && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}

/** Only known values: an address may be old or typed by hand. */
export function choiceIn<Value extends string>(
  search: RawSearch,
  name: string,
  choices: readonly Value[],
): Value | undefined {
  const value = textIn(search, name)
  return choices.find((choice) => choice === value)
}

export function choicesIn<Value extends string>(
  search: RawSearch,
  name: string,
  choices: readonly Value[],
): Value[] | undefined {
  const known = textsIn(search, name)?.flatMap((value) => choices.find((choice) => choice === value) ?? [])
  return known?.length ? known : undefined
}

/** The parameters that every list has in its address; a list adds its own filters. */
export function listSearch(search: RawSearch): ListSearch {
  const page = Number(textIn(search, 'page'))
  return {
    q: textIn(search, 'q'),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    sort: textIn(search, 'sort'),
    columns: textsIn(search, 'columns'),
  }
}

/** A change of filters, search or order. It returns to the first page, because the others have other rows. */
export function fromFirstPage<Change extends ListSearch>(change: Change): Change {
  return { page: undefined, ...change }
}

/** Whether the address leaves rows out. */
export function isFiltered({ columns: _columns, page: _page, sort: _sort, ...filters }: ListSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

/** The change that shows every row again, in the usual order. The columns stay. */
export function withoutFilters(search: ListSearch): ListSearch {
  const names = Object.keys(search).filter((name) => name !== 'columns')
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

/** Names a list by what decides about its rows and their order. */
export function scopeOf({ columns: _columns, page = 1, ...others }: ListSearch): string {
  return stringifySearch({ ...others, page })
}
