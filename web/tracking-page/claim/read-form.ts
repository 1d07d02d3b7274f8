import type { ShopContext } from '../../../src/foundation/context.ts'
import type { FormItem } from '../../../src/resources/claims/form-items.ts'
import { claimReasons } from '../../../src/resources/claims/schema.ts'
import { openField } from './signed-fields.ts'
import type { ClaimValues } from './values.ts'

/** More than a form ever contains; bounds the signatures to verify. */
const maxStoredPhotos = 50

/** The fields of a form, without its files. Hidden fields with an invalid signature count as absent. */
export function readForm(
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
