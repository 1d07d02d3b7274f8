import { type ListSearch, listSearch, type RawSearch, textIn } from '../../kit/list/search.ts'

export interface ReportSearch extends ListSearch {
  /** As the file calls it. */
  column?: string | undefined
}

export function reportSearch(search: RawSearch): ReportSearch {
  return { ...listSearch(search), column: textIn(search, 'column') }
}
