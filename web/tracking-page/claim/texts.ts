import type { Language } from '../../../src/foundation/languages.ts'
import { type Texts, textsIn } from '../../../src/foundation/texts.ts'
import type english from './texts/en.json'

export type ClaimTextKey = keyof typeof english
export type ClaimTexts = Texts<ClaimTextKey>

const folder = new URL('./texts/', import.meta.url)

export function claimTexts(language: Language): ClaimTexts {
  return textsIn<ClaimTextKey>(folder, language)
}
