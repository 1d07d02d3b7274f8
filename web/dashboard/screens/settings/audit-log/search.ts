import { choiceIn, type ListSearch, listSearch, type RawSearch, textIn } from '../../../kit/list/search.ts'

export const periods = ['day', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** A superadmin can also see what was changed about the installation: shops, people, keys for all shops. */
export const scopes = ['installation'] as const
export type Scope = (typeof scopes)[number]

export interface AuditSearch extends ListSearch {
  /** The name of a person, key or automation. */
  who?: string | undefined
  /** The kind of what was changed, and which one. */
  kind?: string | undefined
  subject?: string | undefined
  period?: Period | undefined
  /** Absent: the shop. */
  of?: Scope | undefined
  /** The entry that is open. */
  entry?: string | undefined
}

/** The state of the list in the address. */
export function auditSearch(search: RawSearch): AuditSearch {
  return {
    ...listSearch(search),
    who: textIn(search, 'who'),
    kind: textIn(search, 'kind'),
    subject: textIn(search, 'subject'),
    period: choiceIn(search, 'period', periods),
    of: choiceIn(search, 'of', scopes),
    entry: textIn(search, 'entry'),
  }
}
