import type { ClaimFields } from '../../claims/claims/change.ts'
import { type FormItem, toClaimedItem } from '../../claims/claims/form-items.ts'
import { ClaimCreation, type ClaimItemInput, type ResolutionPreference } from '../../claims/claims/schema.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { createValidator } from '../../platform/foundation/validate.ts'
import { imageUrl } from '../../shops/images/address.ts'
import { type FormFields, fieldsByReason } from './reasons.ts'
import type { ClaimTexts } from './texts.ts'
import type { ClaimValues, FormProblem } from './view.ts'

export const maxDescriptionLength = 10_000
export const maxNameLength = 200
const bodyCheck = createValidator(ClaimCreation, 'body')

export interface CheckedForm {
  problems: FormProblem[]
  fields: ClaimFields
  /** The uploads that become part of the claim. */
  imageKeys: string[]
}

export interface FormToCheck {
  texts: ClaimTexts
  shipmentId: string
  items: readonly FormItem[]
  hasKnownItems: boolean
  values: ClaimValues
  /** Whether a signature came with the form that is not stored yet. */
  isSignatureSent?: boolean
}

/** Builds a claim from the form and checks it: first what its reason requires, then the API's schema for claims. */
export function checkForm(context: ShopContext, form: FormToCheck): CheckedForm {
  const { texts, shipmentId, values, isSignatureSent = false } = form
  const { reason } = values
  if (reason === undefined) {
    const problems: FormProblem[] = [{ field: 'reason', text: texts.say('error.reason') }]
    return { problems, fields: { reason: 'support' }, imageKeys: [] }
  }
  const formFields = fieldsByReason[reason]
  const problems: FormProblem[] = []
  const photos = formFields.hasPhotos ? [...values.photos] : []
  const signature = formFields.signature === 'none' ? undefined : values.signature
  const fields: ClaimFields = {
    reason,
    resolution_preference: resolutionOf(formFields, values.resolution),
    description: values.description === '' ? null : values.description,
    selected_items: claimedItems(form, formFields, problems),
    image_urls: photos.map((key) => imageUrl(context, key)),
    customer_signature_image_url: signature === undefined ? null : imageUrl(context, signature),
    dropoff_permission: formFields.hasDropoff ? (dropoffs.get(values.dropoff) ?? null) : null,
    step_user_input: formFields.signature === 'none' ? null : typedSignature(texts, values.signatureName),
  }
  if (formFields.isDescriptionRequired && values.description === '') {
    problems.push({ field: 'description', text: texts.say('error.description') })
  }
  if (formFields.hasDropoff && !dropoffs.has(values.dropoff)) {
    problems.push({ field: 'dropoff', text: texts.say('error.dropoff') })
  }
  const isSigned = signature !== undefined || isSignatureSent || values.signatureName !== ''
  if (formFields.signature === 'required' && !isSigned) {
    problems.push({ field: 'signature', text: texts.say('error.signature') })
  }
  if (formFields.signature !== 'none' && values.signatureName.length > maxNameLength) {
    problems.push({ field: 'signature', text: texts.count('error.signature_long', maxNameLength) })
  }
  problems.push(...schemaProblems(texts, { shipment_id: shipmentId, ...fields }))
  return { problems, fields, imageKeys: signature === undefined ? photos : [...photos, signature] }
}

const dropoffs = new Map<string, boolean | null>([
  ['yes', true],
  ['no', false],
  ['unknown', null],
])

/** A preference that this reason does not offer was chosen for another reason, and is dropped. */
function resolutionOf(formFields: FormFields, given: string): ResolutionPreference | null {
  const isElsewhere = given === '' || Object.values(fieldsByReason).some(({ resolutions }) => isIn(resolutions, given))
  // An unknown value is left for the schema to reject.
  if (!isElsewhere) return given as ResolutionPreference
  return isIn(formFields.resolutions, given) ? given : null
}

function isIn(resolutions: readonly ResolutionPreference[], given: string): given is ResolutionPreference {
  return resolutions.some((resolution) => resolution === given)
}

function claimedItems(form: FormToCheck, formFields: FormFields, problems: FormProblem[]): ClaimItemInput[] {
  const { texts, items, hasKnownItems, values } = form
  if (formFields.items === 'all') return hasKnownItems ? items.map((item) => toClaimedItem(item, item.quantity)) : []
  if (formFields.items === 'none') return []
  const claimed: ClaimItemInput[] = []
  let isWrong = false
  for (const item of items) {
    const given = values.quantities.get(item.key) ?? ''
    const problem = quantityProblem(texts, item, given)
    if (problem !== undefined) {
      problems.push({ field: `item-${item.key}`, text: problem })
      isWrong = true
    } else if (Number(given) > 0) claimed.push(toClaimedItem(item, Number(given)))
  }
  if (items.length > 0 && claimed.length === 0 && !isWrong) {
    problems.push({ field: 'items', text: texts.say('error.items') })
  }
  return claimed
}

function quantityProblem(texts: ClaimTexts, item: FormItem, given: string): string | undefined {
  if (given === '') return undefined
  if (!/^\d{1,9}$/.test(given)) return texts.say('error.item_number', { item: item.title })
  return Number(given) > item.quantity ? texts.count('error.item', item.quantity, { item: item.title }) : undefined
}

function typedSignature(texts: ClaimTexts, name: string): ClaimFields['step_user_input'] {
  if (name === '') return null
  const question = texts.say('signature.name')
  return [
    {
      step_id: 'signature',
      user_input: { input_type: 'text', input_value: name, translated_question: question, translated_answer: name },
    },
  ]
}

function schemaProblems(texts: ClaimTexts, body: ClaimCreation): FormProblem[] {
  return (bodyCheck.problems(body) ?? []).map(({ loc, msg }): FormProblem => {
    if (loc[1] === 'description') {
      return { field: 'description', text: texts.count('error.description_long', maxDescriptionLength) }
    }
    if (loc[1] === 'resolution_preference') return { field: 'resolution', text: texts.say('error.resolution') }
    // The rest is built from validated order data.
    throw new Error(`a claim of the form is not valid at ${loc.join('.')}: ${msg}`)
  })
}
