import type { ShopRecord } from '../../../src/foundation/context.ts'
import type { FormItem } from '../../../src/resources/claims/form-items.ts'
import type { ClaimableOrder, ClaimableShipment, FiledClaim } from '../../../src/resources/claims/form-store.ts'
import type { ClaimReason } from '../../../src/resources/claims/schema.ts'
import type { Viewer } from '../viewer.ts'
import type { ClaimTexts } from './texts.ts'
import type { ClaimValues, FieldName, FormProblem } from './values.ts'

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
