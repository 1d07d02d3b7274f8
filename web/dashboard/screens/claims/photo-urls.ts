import type { Claim } from './query.ts'

/** The customer's photos, each once. */
export function photosOf(claim: Claim): string[] {
  const items = [...claim.selected_items, ...claim.damaged_product_items]
  const photos = [...claim.image_urls, ...claim.optional_image_urls, ...items.flatMap(({ image_urls }) => image_urls)]
  return [...new Set(photos)]
}

/** The photo that is shown first, if it is stored by this service. */
export function firstPhotoOf(claim: Claim): string | undefined {
  return photosOf(claim).map(ownPath)[0]
}

/** Relative to this page, which may be opened under another name than the one in the URL. */
export function ownPath(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed?.pathname.startsWith('/v1/images/') ? `${parsed.pathname}${parsed.search}` : undefined
}
