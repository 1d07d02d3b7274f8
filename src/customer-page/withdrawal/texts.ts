import type { Language } from '../../platform/foundation/languages.ts'
import { type Texts, textsIn } from '../../platform/foundation/texts.ts'
import type english from './texts/en.json'

export type WithdrawalTextKey = keyof typeof english
export type WithdrawalTexts = Texts<WithdrawalTextKey>

const folder = new URL('./texts/', import.meta.url)

export function withdrawalTexts(language: Language): WithdrawalTexts {
  return textsIn<WithdrawalTextKey>(folder, language)
}
