import { t } from '../../../texts/texts.ts'
import { Checks } from '../checks.ts'
import type { Problems } from '../use-editor.ts'
import type { CampaignDraft, ProductDraft } from './draft.ts'

/** The field of a request that has the content for customers. The preview needs no other field. */
export const shownFields = 'promotion_properties'

/** The same limits as the API's. */
export function checkCampaign(draft: CampaignDraft): Problems {
  const checks = new Checks()
  checks.required('name', draft.name)
  checks.length('name', draft.name, 255)
  checks.required('segment', draft.segment)
  checks.length('segment', draft.segment, 255)
  const starts = draft.start_date === '' ? new Date() : new Date(draft.start_date)
  if (draft.end_date !== '' && new Date(draft.end_date) <= starts)
    checks.add('end_date', t('campaigns.end_before_start'))
  const field = (name: string) => `${shownFields}.${name}`
  checks.length(field('title'), draft.title, 1_000)
  checks.length(field('subtitle'), draft.subtitle, 2_000)
  checks.length(field('cta_label'), draft.cta_label, 255)
  checks.address(field('cta_url'), draft.cta_url)
  checks.length(field('discount_code'), draft.discount_code, 255)
  if (draft.promotion_type === 'product') {
    if (draft.products.length > 50) checks.add(field('products'), t('campaigns.too_many_products'))
    for (const [index, product] of draft.products.entries()) checkProduct(checks, field(`products.${index}`), product)
  } else {
    checks.address(field('image_url'), draft.image_url)
  }
  return checks.problems
}

function checkProduct(checks: Checks, place: string, product: ProductDraft): void {
  checks.length(`${place}.title`, product.title, 1_000)
  checks.address(`${place}.product_url`, product.product_url, true)
  checks.address(`${place}.image_url`, product.image_url)
  checks.number(`${place}.price`, product.price, { min: 0, max: 1e12 })
  checks.number(`${place}.discount.amount`, product.discount_amount, { min: 0, max: 1e12 })
  if (!/^[A-Z]{3}$/i.test(product.currency)) checks.add(`${place}.currency`, t('check.currency'))
}
