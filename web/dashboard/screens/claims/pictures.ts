import { t } from '../../texts/texts.ts'
import { ownPath, photosOf } from './photo-urls.ts'
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
  const photos = photosOf(claim)
  const shown = photos.map((url, index) => toPicture(url, t('claims.photo', { number: index + 1, of: photos.length })))
  const signature = claim.customer_signature_image_url
  return signature === null ? shown : [...shown, toPicture(signature, t('claims.signature'))]
}

function toPicture(url: string, label: string): Picture {
  const path = ownPath(url)
  return { url: path ?? url, label, isOwn: path !== undefined }
}
