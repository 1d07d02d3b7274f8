import type { Schemas } from 'doorstep-client'
import { type Language, pageLanguages } from '../../../app/languages.ts'
import { t } from '../../../texts/texts.ts'
import { Checks } from '../checks.ts'
import { type Translations, written } from '../translations.ts'
import type { Problems } from '../use-editor.ts'

export type Deal = Schemas['Deal']
export type DealText = 'title' | 'description'

/** A deal as fields show it. */
export interface DealDraft extends Record<DealText, string> {
  discount_id: string
  brand_image_url: string | null
  brand_logo_url: string | null
  cta_url: string
  translations: Translations<DealText>
}

/** A stored deal, read in the shop's language. */
export function draftOf(deal: Deal | undefined, shopLanguage: Language): DealDraft {
  const others = (deal?.translations ?? []).flatMap(({ language, data }) => {
    const known = pageLanguages.find((one) => one === language && one !== shopLanguage)
    return known ? [[known, data] as const] : []
  })
  return {
    discount_id: deal?.discount_id ?? '',
    brand_image_url: deal?.brand_image_url ?? null,
    brand_logo_url: deal?.brand_logo_url ?? null,
    cta_url: deal?.cta_url ?? '',
    title: deal?.title ?? '',
    description: deal?.description ?? '',
    translations: Object.fromEntries(others),
  }
}

/** Without the discount, which a preview may not have yet. */
export function bodyOf({ discount_id: _id, ...draft }: DealDraft): Omit<Schemas['DealUpdate'], 'discount_id'> {
  return {
    brand_image_url: draft.brand_image_url,
    brand_logo_url: draft.brand_logo_url,
    cta_url: draft.cta_url || null,
    title: draft.title || null,
    description: draft.description || null,
    translations: written(draft.translations).map(([language, data]) => ({ language, data: { ...data } })),
  }
}

export function checkDeal(draft: DealDraft): Problems {
  const checks = new Checks()
  if (draft.discount_id === '') checks.add('discount_id', t('deals.discount_missing'))
  checks.length('title', draft.title, 1_000)
  checks.length('description', draft.description, 10_000)
  checks.address('cta_url', draft.cta_url)
  checks.address('brand_image_url', draft.brand_image_url)
  checks.address('brand_logo_url', draft.brand_logo_url)
  return checks.problems
}
