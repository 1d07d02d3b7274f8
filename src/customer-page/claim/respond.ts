import { readFileSync } from 'node:fs'
import type { FormItem } from '../../claims/claims/form-items.ts'
import type { ClaimableShipment } from '../../claims/claims/form-store.ts'
import { imageExpiryInResponse } from '../../claims/claims/images.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { PageResponse } from '../../platform/foundation/page-route.ts'
import { signedImageUrl } from '../../shops/images/address.ts'
import { script, withoutComments } from '../assets.ts'
import { renderLayout } from '../layout.ts'
import { readTheme } from '../theme.ts'
import { itemsOf } from './items.ts'
import { claimableShipments, obstacleOf, openClaims, reasonsFor } from './reasons.ts'
import { renderClaimPage, renderNothing, renderParcelChoice } from './render.ts'
import { signField } from './signed-fields.ts'
import { claimStateStyle } from './state.ts'
import { claimStyle } from './style.ts'
import type { ClaimPageView, ClaimValues, FormProblem, StoredImage } from './view.ts'

/** A visit to an order's claim form. */
export interface Visit extends Omit<ClaimPageView, 'shop'> {
  photoLimitBytes: number
}

/** The parcel that the form is about. */
export interface ClaimedParcel {
  shipment: ClaimableShipment
  items: FormItem[]
  /** Whether the parcel contains exactly these items. It is not known if several parcels do not list their contents. */
  hasKnownItems: boolean
}

/** The parcel with this id, or the only one if no id is given. */
export function findParcel({ order }: Visit, id: string | undefined): ClaimedParcel | undefined {
  const shipments = claimableShipments(order)
  const shipment = id === undefined ? onlyOne(shipments) : shipments.find((one) => one.id === id)
  if (shipment === undefined) return undefined
  const hasKnownItems = shipment.products !== null || shipments.length === 1
  return { shipment, items: itemsOf(order, shipment), hasKnownItems }
}

function onlyOne<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined
}

/** The parcel that the form is about, or why there is none. */
export async function respondWithStart(context: ShopContext, visit: Visit, isUnknown: boolean): Promise<PageResponse> {
  const view: ClaimPageView = { ...visit, shop: context.shop }
  const obstacle = obstacleOf(visit.order)
  return renderLayout({
    status: isUnknown && obstacle === undefined ? 404 : 200,
    title: visit.texts.say('title'),
    viewer: visit.viewer,
    theme: await readTheme(context),
    shop: context.shop,
    address: visit.formAddress,
    main: obstacle === undefined ? renderParcelChoice(view, isUnknown) : renderNothing(view, obstacle),
    styles: [claimStateStyle, claimStyle],
  })
}

interface ShownForm {
  parcel: ClaimedParcel
  values: ClaimValues
  problems: readonly FormProblem[]
  status?: number
  headers?: Record<string, string>
}

export async function respondWithForm(context: ShopContext, visit: Visit, shown: ShownForm): Promise<PageResponse> {
  const { texts, viewer, order } = visit
  const { parcel, values, problems, status = 200, headers } = shown
  const { shipment } = parcel
  const shipments = claimableShipments(order)
  const sign = (kind: 'form' | 'photo' | 'signature', text: string) => signField(context, order.id, kind, text)
  const storedImage = (kind: 'photo' | 'signature', key: string): StoredImage => ({
    field: sign(kind, key),
    address: `${viewer.base}${imagePath(context, key)}`,
  })
  const title = texts.say('title')
  const page = renderLayout({
    status,
    title: problems.length > 0 ? texts.say('title.error', { title }) : title,
    viewer,
    theme: await readTheme(context),
    shop: context.shop,
    address: `${visit.formAddress}?shipment=${shipment.id}`,
    main: renderClaimPage({
      ...visit,
      ...parcel,
      shop: context.shop,
      number: shipments.indexOf(shipment) + 1,
      hasOtherParcels: shipments.length > 1,
      reasons: reasonsFor(shipment),
      openClaims: openClaims(order, shipment.id),
      values,
      problems,
      signedFormId: sign('form', values.formId),
      photos: values.photos.map((key) => storedImage('photo', key)),
      signature: values.signature === undefined ? undefined : storedImage('signature', values.signature),
    }),
    scripts: [claimScript],
    styles: [claimStateStyle, claimStyle],
  })
  return { ...page, headers: { ...page.headers, ...headers } }
}

/** The URL under which an upload is shown to its owner, relative to the host of the page. */
function imagePath(context: ShopContext, key: string): string {
  const address = new URL(signedImageUrl(context, key, imageExpiryInResponse(context.now)))
  return `/v1/images/${key}${address.search}`
}

const source = readFileSync(new URL('./form.client.js', import.meta.url), 'utf8')

/** Enhances the form: previews, smaller photos, a drawn signature. Without comments and indentation. */
const claimScript = script('claim', withoutComments(source))
