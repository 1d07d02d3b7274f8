import { t } from '../../../texts/texts.ts'
import { shownFields } from './check.ts'
import type { ProductDraft } from './draft.ts'

/** The labels of fields, by their place in a request. */
export function campaignLabels(products: readonly ProductDraft[]): Record<string, string> {
  const labels: Record<string, string> = { discount_id: t('campaigns.discount') }
  for (const name of ['name', 'segment', 'start_date', 'end_date'] as const) labels[name] = t(`campaigns.${name}`)
  for (const name of ['title', 'subtitle', 'cta_label', 'cta_url', 'discount_code', 'products'] as const) {
    labels[`${shownFields}.${name}`] = t(`campaigns.${name}`)
  }
  labels[`${shownFields}.image_url`] = t('campaigns.image')
  for (const [index, product] of products.entries()) {
    const place = `${shownFields}.products.${index}`
    const owner = product.title || t('campaigns.product_nth', { n: index + 1 })
    for (const name of ['title', 'product_url', 'price', 'currency', 'image_url'] as const) {
      labels[`${place}.${name}`] = `${owner}, ${t(`campaigns.product.${name}`)}`
    }
    labels[`${place}.discount.amount`] = `${owner}, ${t('campaigns.product.discount')}`
  }
  return labels
}
