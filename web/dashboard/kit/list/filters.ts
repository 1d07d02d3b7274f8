import type { ListSearch, RawSearch } from './search.ts'

export interface FilterChoice {
  value: string
  label: string
}

/** A filter of a list: the choices, those that are chosen, and how a choice changes the address. */
export interface ListFilter<Search extends ListSearch> {
  label: string
  choices: readonly FilterChoice[]
  chosen: readonly string[]
  change: (chosen: string[]) => Search
  /** Only one can be chosen. */
  isSingle?: boolean
}

/** A filter by one value under a name of the address. */
export function one<Search extends ListSearch>(
  search: Search,
  name: keyof Search & string,
  label: string,
  choices: readonly FilterChoice[],
): ListFilter<Search> {
  const value = search[name]
  return {
    label,
    choices,
    chosen: typeof value === 'string' ? [value] : [],
    change: ([chosen]) => changeOf(name, chosen),
    isSingle: true,
  }
}

/** A filter by several values. */
export function several<Search extends ListSearch>(
  search: Search,
  name: keyof Search & string,
  label: string,
  choices: readonly FilterChoice[],
): ListFilter<Search> {
  const values = search[name]
  return {
    label,
    choices,
    chosen: Array.isArray(values) ? values : [],
    change: (chosen) => changeOf(name, chosen.length > 0 ? chosen : undefined),
  }
}

/** Choices in the order of their values. */
export function choicesOf<Value extends string>(
  values: readonly Value[],
  labelOf: (value: Value) => string,
): FilterChoice[] {
  return values.map((value) => ({ value, label: labelOf(value) }))
}

/** Choices from what rows have: each once, by name. */
export function choicesIn(
  values: readonly (string | null | undefined)[],
  labelOf: (value: string) => string,
): FilterChoice[] {
  const given = new Set(values.flatMap((value) => value || []))
  return choicesOf([...given], labelOf).sort((left, right) => left.label.localeCompare(right.label))
}

function changeOf<Search extends ListSearch>(name: keyof Search & string, value: unknown): Search {
  const change: RawSearch = { [name]: value }
  return change as Search // its values are those of the choices
}
