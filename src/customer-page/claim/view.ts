import type { FormItem } from '../../claims/claims/form-items.ts'
import type { ClaimableOrder, ClaimableShipment, FiledClaim } from '../../claims/claims/form-store.ts'
import type { ClaimReason } from '../../claims/claims/schema.ts'
import type { ShopRecord } from '../../platform/foundation/context.ts'
import type { Viewer } from '../viewer.ts'
import type { ClaimTexts } from './texts.ts'

/** The data of every claim page. */
export interface ClaimPageView {
  viewer: Viewer
  texts: ClaimTexts
  shop: ShopRecord
  order: ClaimableOrder
  /** The paths of the order's page and of the form below it. */
  orderAddress: string
  formAddress: string
}

/** A form about one parcel: empty, or with the entered values and their problems. */
export interface ClaimFormView extends ClaimPageView {
  shipment: ClaimableShipment
  /** Its position among the order's parcels, from 1. */
  number: number
  hasOtherParcels: boolean
  items: readonly FormItem[]
  reasons: readonly ClaimReason[]
  openClaims: readonly FiledClaim[]
  values: ClaimValues
  problems: readonly FormProblem[]
  /** The form's id, signed. */
  signedFormId: string
  photos: readonly StoredImage[]
  signature: StoredImage | undefined
  photoLimitBytes: number
}

/** An upload whose form has not been sent yet. */
export interface StoredImage {
  /** Its key, signed: the value of a hidden field. */
  field: string
  /** The URL that shows it to its owner, valid for an hour or two. */
  address: string
}

export function problemsAt({ problems }: ClaimFormView, field: FieldName): FormProblem[] {
  return problems.filter((problem) => problem.field === field)
}

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
