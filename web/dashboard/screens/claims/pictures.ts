import { t } from '../../texts/texts.ts'
import type { Claim } from './query.ts'

/** A photo or signature of a claim. */
export interface Picture {
  url: string
  label: string
  /** Stored by this service. Others are on hosts that this page does not load from. */
  isOwn: boolean
}

/** Everything that the customer sent, the photos first, each once. */
export function picturesOf(claim: Claim): Picture[] {
  const items = [...claim.selected_items, ...claim.damaged_product_items]
  const photos = [...claim.image_urls, ...claim.optional_image_urls, ...items.flatMap(({ image_urls }) => image_urls)]
  const unique = [...new Set(photos)]
  const shown = unique.map((url, index) => toPicture(url, t('claims.photo', { number: index + 1, of: unique.length })))
  const signature = claim.customer_signature_image_url
  return signature === null ? shown : [...shown, toPicture(signature, t('claims.signature'))]
}

function toPicture(url: string, label: string): Picture {
  const path = ownPath(url)
  return { url: path ?? url, label, isOwn: path !== undefined }
}

/** Relative to this page, which may be opened under another name than the one in the URL. */
function ownPath(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed?.pathname.startsWith('/v1/images/') ? `${parsed.pathname}${parsed.search}` : undefined
}
