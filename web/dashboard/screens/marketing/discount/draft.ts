import type { Schemas } from 'doorstep-client'
import { t } from '../../../texts/texts.ts'
import { Checks } from '../checks.ts'
import type { Problems } from '../use-editor.ts'

type Stored = Schemas['Discount']

/** A discount as fields show it. */
export interface DiscountDraft {
  type: Stored['type']
  code: string
  title: string
  value_type: NonNullable<Stored['value_type']>
  value: string
  target_type: NonNullable<Stored['target_type']> | ''
  target_selection: NonNullable<Stored['target_selection']> | ''
}

export function draftOf(stored: Stored | undefined): DiscountDraft {
  return {
    type: stored?.type ?? 'order',
    code: stored?.code ?? '',
    title: stored?.title ?? '',
    value_type: stored?.value_type ?? 'percentage',
    value: stored?.value?.toString() ?? '',
    target_type: stored?.target_type ?? '',
    target_selection: stored?.target_selection ?? '',
  }
}

/** The type is sent with a new one only: it never changes. */
export function bodyOf(draft: DiscountDraft): Schemas['DiscountUpdate'] {
  return {
    code: draft.code.trim() || null,
    title: draft.title || null,
    value: draft.value === '' ? null : Number(draft.value),
    value_type: draft.value_type,
    target_type: draft.target_type || null,
    target_selection: draft.target_selection || null,
  }
}

/** The limits of the API, and what no customer would understand: 120 % off. */
export function checkDiscount(draft: DiscountDraft): Problems {
  const checks = new Checks()
  checks.length('code', draft.code, 255)
  checks.length('title', draft.title, 1_000)
  if (draft.code.trim() === '' && draft.title.trim() === '') checks.add('title', t('discounts.title_or_code'))
  checks.number('value', draft.value, { min: 0, max: draft.value_type === 'percentage' ? 100 : 1e12 })
  return checks.problems
}
