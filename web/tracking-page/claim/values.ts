import type { ClaimReason } from '../../../src/resources/claims/schema.ts'

/** The entered values, unvalidated. */
export interface ClaimValues {
  /** The id of the future claim: sending the form twice creates one claim. */
  formId: string
  reason: ClaimReason | undefined
  /** The quantity of each item, by its key. */
  quantities: ReadonlyMap<string, string>
  description: string
  /** The keys of uploaded photos. */
  photos: readonly string[]
  dropoff: string
  /** The key of an uploaded signature. */
  signature: string | undefined
  signatureName: string
  resolution: string
}

/** The location of a problem: a section of the form, or one item. */
export type FieldName =
  | 'reason'
  | 'items'
  | `item-${string}`
  | 'description'
  | 'photos'
  | 'dropoff'
  | 'signature'
  | 'resolution'
  | 'send'

/** A problem, as text in the page's language. */
export interface FormProblem {
  field: FieldName
  text: string
  /** True: what was sent is not stored, and has to be sent again. */
  isLost?: boolean
}

/** A problem of photos or a signature, after which they have to be sent again. */
export function lost(field: 'photos' | 'signature', text: string): FormProblem {
  return { field, text, isLost: true }
}

export function emptyValues(formId: string): ClaimValues {
  return {
    formId,
    reason: undefined,
    quantities: new Map(),
    description: '',
    photos: [],
    dropoff: '',
    signature: undefined,
    signatureName: '',
    resolution: '',
  }
}

const places = ['reason', 'items', 'item', 'description', 'photos', 'dropoff', 'signature', 'resolution', 'send']

/** Sorts problems in the order of the form. */
export function inOrder(problems: readonly FormProblem[]): FormProblem[] {
  const place = ({ field }: FormProblem) => places.indexOf(field.startsWith('item-') ? 'item' : field)
  return [...problems].sort((left, right) => place(left) - place(right))
}
