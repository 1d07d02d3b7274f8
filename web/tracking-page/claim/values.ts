import type { ClaimReason } from '../../../src/resources/claims/schema.ts'

/** What a customer has entered so far, as it was entered. */
export interface ClaimValues {
  /** The id that the claim will have; it makes one claim of a form that is sent twice. */
  formId: string
  reason: ClaimReason | undefined
  /** How many of an item, by its key. */
  quantities: ReadonlyMap<string, string>
  description: string
  /** The keys of photos that are uploaded already. */
  photos: readonly string[]
  dropoff: string
  /** The key of a drawn signature that is uploaded already. */
  signature: string | undefined
  signatureName: string
  resolution: string
}

/** Where a problem is: a part of the form, or one item of it. */
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

/** Something to be mended, in the words of the page. */
export interface FormProblem {
  field: FieldName
  text: string
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

/** Problems in the order of the form, as who mends them comes by. */
export function inOrder(problems: readonly FormProblem[]): FormProblem[] {
  const place = ({ field }: FormProblem) => places.indexOf(field.startsWith('item-') ? 'item' : field)
  return [...problems].sort((left, right) => place(left) - place(right))
}
