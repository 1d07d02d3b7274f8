import type { ShopContext } from '../../../src/foundation/context.ts'
import { claimReasons } from '../../../src/resources/claims/schema.ts'
import type { ParcelItem } from './items.ts'
import { openField } from './signed-fields.ts'
import type { ClaimValues } from './values.ts'

/** More than a form ever holds: each one's signature is checked. */
const mostKept = 50

/** What a form brings but for its files. Hidden fields that are not as they went out count as absent. */
export function readForm(
  context: ShopContext,
  orderId: string,
  form: URLSearchParams,
  items: readonly ParcelItem[],
): Omit<ClaimValues, 'formId'> & { formId: string | undefined } {
  const open = (kind: 'form' | 'photo' | 'signature', value: string | null) =>
    value === null ? undefined : openField(context, orderId, kind, value)
  const removed = new Set(form.getAll('remove_photo'))
  const photos = form
    .getAll('kept_photo')
    .slice(0, mostKept)
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

/** Text as it can be stored: browsers send line breaks as two characters, and the store keeps no U+0000. */
function textOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n').replaceAll('\0', '').trim()
}
