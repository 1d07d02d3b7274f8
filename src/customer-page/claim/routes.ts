import type { FormItem } from '../../claims/claims/form-items.ts'
import { findClaimableOrder } from '../../claims/claims/form-store.ts'
import { claimReasons } from '../../claims/claims/schema.ts'
import { findOrderByToken } from '../../orders/page-addresses/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { type Page, type PageRequest, page } from '../../platform/foundation/page-route.ts'
import { imageRetrySeconds } from '../../shops/images/normalize-image.ts'
import { viewerOf } from '../viewer.ts'
import { checkForm } from './check-form.ts'
import { fieldsByReason } from './reasons.ts'
import { findParcel, respondWithForm, respondWithStart, type Visit } from './respond.ts'
import { respondIfFiled, respondIfImpossible, send } from './send.ts'
import { openField } from './signed-fields.ts'
import { storeUploads, uploadsToRepeat } from './store-uploads.ts'
import { claimTexts } from './texts.ts'
import { type ClaimValues, emptyValues, inOrder } from './view.ts'

/** More than may be stored, so that choosing a few too many shows a message and loses nothing. */
const maxFiles = 20

const claimForm = page({
  name: 'claimForm',
  route: 'GET /track/{slug}/{token}/claim',
  async handle(context, request) {
    const visit = await visitOf(context, request)
    const parcel = findParcel(visit, request.query.shipment)
    if (parcel === undefined) return respondWithStart(context, visit, request.query.shipment !== undefined)
    return respondWithForm(context, visit, { parcel, values: emptyValues(newId(context.now)), problems: [] })
  },
})

const sendClaim = page({
  name: 'sendClaim',
  route: 'POST /track/{slug}/{token}/claim',
  files: maxFiles,
  admit: visitOf,
  async handle(context, request) {
    const visit = await visitOf(context, request)
    const parcel = findParcel(visit, request.form.get('shipment') ?? undefined)
    if (parcel === undefined) return respondWithStart(context, visit, true)
    const read = readForm(context, visit.order.id, request.form, parcel.items)
    const given: ClaimValues = { ...read, formId: read.formId ?? newId(context.now) }
    const before = await respondIfFiled(context, visit, parcel, given)
    if (before) return before
    // A reason without photos ignores those that were chosen for another reason.
    const wantsPhotos = given.reason === undefined || fieldsByReason[given.reason].hasPhotos
    const files = request.files.filter(({ field }) => wantsPhotos || field !== 'photos')
    const form = { texts: visit.texts, shipmentId: parcel.shipment.id, ...parcel }
    const isSignatureSent = files.some(({ field }) => field === 'signature')
    const beforehand = checkForm(context, { ...form, values: given, isSignatureSent })
    if (beforehand.problems.length > 0) {
      const problems = inOrder([...beforehand.problems, ...uploadsToRepeat(visit.texts, files)])
      return respondWithForm(context, visit, { parcel, values: given, problems, status: 422 })
    }
    const impossible = await respondIfImpossible(context, visit, { parcel, values: given, checked: beforehand })
    if (impossible) return impossible
    const uploads = { texts: visit.texts, orderId: visit.order.id, files, limitBytes: request.fileLimitBytes }
    const { values, problems, isBusy } = await storeUploads(context, given, uploads)
    const checked = checkForm(context, { ...form, values })
    const all = inOrder([...problems, ...checked.problems])
    const failed = isBusy ? { status: 429, headers: { 'retry-after': String(imageRetrySeconds) } } : { status: 422 }
    if (all.length > 0) return respondWithForm(context, visit, { parcel, values, problems: all, ...failed })
    return send(context, visit, { parcel, values, checked })
  },
})

export const claimPages: readonly Page[] = [claimForm, sendClaim]

async function visitOf(context: ShopContext, request: PageRequest<'slug' | 'token'>): Promise<Visit> {
  const named = await findOrderByToken(context, request.path.token)
  const order = named?.shopId === context.shop.id ? await findClaimableOrder(context, named.orderId) : undefined
  if (order === undefined) throw new ApiError('order_not_found', 'This address leads to no order.')
  const viewer = viewerOf(context, request)
  const orderAddress = `/track/${context.shop.slug}/${request.path.token}`
  return {
    viewer,
    texts: claimTexts(viewer.language),
    order,
    orderAddress,
    formAddress: `${orderAddress}/claim`,
    photoLimitBytes: request.fileLimitBytes,
  }
}

/** More than a form ever contains; bounds the signatures to verify. */
const maxStoredPhotos = 50

/** The fields of a form, without its files. Hidden fields with an invalid signature count as absent. */
function readForm(
  context: ShopContext,
  orderId: string,
  form: URLSearchParams,
  items: readonly FormItem[],
): Omit<ClaimValues, 'formId'> & { formId: string | undefined } {
  const open = (kind: 'form' | 'photo' | 'signature', value: string | null) =>
    value === null ? undefined : openField(context, orderId, kind, value)
  const removed = new Set(form.getAll('remove_photo'))
  const photos = form
    .getAll('kept_photo')
    .slice(0, maxStoredPhotos)
    .filter((value) => !removed.has(value))
    .map((value) => open('photo', value))
    .filter((key) => key !== undefined)
  return {
    formId: open('form', form.get('form')),
    reason: claimReasons.find((reason) => reason === form.get('reason')),
    quantities: new Map(items.map(({ key }) => [key, textOf(form, `item-${key}`)])),
    description: textOf(form, 'description'),
    photos: [...new Set(photos)],
    dropoff: textOf(form, 'dropoff'),
    signature: form.has('remove_signature') ? undefined : open('signature', form.get('kept_signature')),
    signatureName: textOf(form, 'signature_name'),
    resolution: textOf(form, 'resolution'),
  }
}

/** Text as it is stored: CRLF becomes LF, and U+0000 is removed because PostgreSQL cannot store it. */
function textOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n').replaceAll('\0', '').trim()
}
