import {
  claimsPerDay,
  type Filing,
  type FilingObstacle,
  fileClaim,
  findObstacle,
} from '../../claims/claims/file-claim.ts'
import { findClaimableOrder, findFiledClaim } from '../../claims/claims/form-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { type PageResponse, redirect } from '../../platform/foundation/page-route.ts'
import { findUnexpiredImages } from '../../shops/images/store.ts'
import { linkTo } from '../viewer.ts'
import type { CheckedForm } from './check-form.ts'
import { type ClaimedParcel, respondWithForm, type Visit } from './respond.ts'
import { claimAnchor } from './state.ts'
import { type ClaimValues, type FormProblem, lost } from './view.ts'

/** A claim form as it was sent. */
interface SentForm {
  parcel: ClaimedParcel
  values: ClaimValues
  checked: CheckedForm
}

/** Files a valid claim and redirects to its status, or shows why it cannot be filed. */
export async function send(context: ShopContext, visit: Visit, form: SentForm): Promise<PageResponse> {
  const outcome = await fileClaim(context, filingOf(visit, form))
  if (outcome === 'filed') return redirect(addressOf(visit, form.values.formId))
  return respondWithObstacle(context, visit, form, outcome)
}

/** Shows why a claim cannot be filed, before its uploads are decoded. */
export async function respondIfImpossible(
  context: ShopContext,
  visit: Visit,
  form: SentForm,
): Promise<PageResponse | undefined> {
  const obstacle = await findObstacle(context, filingOf(visit, form))
  return obstacle && respondWithObstacle(context, visit, form, obstacle)
}

function filingOf(visit: Visit, { parcel, values, checked }: SentForm): Filing {
  const { fields, imageKeys } = checked
  return { id: values.formId, orderId: visit.order.id, shipmentId: parcel.shipment.id, fields, imageKeys }
}

async function respondWithObstacle(
  context: ShopContext,
  visit: Visit,
  { parcel, values, checked }: SentForm,
  obstacle: FilingObstacle,
): Promise<PageResponse> {
  const { texts, order } = visit
  const showProblem = (status: number, problem: FormProblem, values: ClaimValues, order = visit.order) =>
    respondWithForm(context, { ...visit, order }, { parcel, values, problems: [problem], status })
  switch (obstacle) {
    case 'filed_before':
      return (await respondIfFiled(context, visit, parcel, values)) ?? redirect(addressOf(visit, values.formId))
    case 'open_already': {
      // It may have been filed while this form was open; its status is shown above the form.
      const now = await findClaimableOrder(context, order.id)
      return showProblem(409, { field: 'reason', text: texts.say('error.open_already') }, values, now)
    }
    case 'too_many':
      return showProblem(429, { field: 'send', text: texts.count('error.too_many', claimsPerDay) }, values)
    case 'images_gone': {
      const stored = await findUnexpiredImages(context, checked.imageKeys)
      const photos = values.photos.filter((key) => stored.has(key))
      const signature = values.signature && stored.has(values.signature) ? values.signature : undefined
      const problem: FormProblem =
        photos.length < values.photos.length
          ? lost('photos', texts.say('error.photos_gone'))
          : lost('signature', texts.say('error.signature_image'))
      return showProblem(422, problem, { ...values, photos, signature })
    }
  }
}

/**
 * The reply if this form was already sent: a redirect to its claim. If the parcel or the reason differs, it is another
 * claim, so the form is shown again with a new id and nothing is dropped silently.
 */
export async function respondIfFiled(
  context: ShopContext,
  visit: Visit,
  parcel: ClaimedParcel,
  values: ClaimValues,
): Promise<PageResponse | undefined> {
  const claim = await findFiledClaim(context, values.formId)
  if (claim === undefined) return undefined
  if (claim.reason === values.reason && claim.shipment_id === parcel.shipment.id) {
    return redirect(addressOf(visit, claim.id))
  }
  const problems: FormProblem[] = [{ field: 'send', text: visit.texts.say('error.sent_before') }]
  const fresh = { ...values, formId: newId(context.now) }
  return respondWithForm(context, visit, { parcel, values: fresh, problems, status: 409 })
}

function addressOf({ viewer, orderAddress }: Visit, claimId: string): string {
  return `${linkTo(viewer, orderAddress)}#${claimAnchor(claimId)}`
}
