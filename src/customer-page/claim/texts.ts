import type english from '../../customer-view/texts/claim/en.json'
import type { Language } from '../../platform/foundation/languages.ts'
import { type Texts, textsIn } from '../../platform/foundation/texts.ts'

export type ClaimTextKey = keyof typeof english
export type ClaimTexts = Texts<ClaimTextKey>

const folder = new URL('../../customer-view/texts/claim/', import.meta.url)

export function claimTexts(language: Language): ClaimTexts {
  return textsIn<ClaimTextKey>(folder, language)
}
