import type { Language } from '../../../src/foundation/languages.ts'
import { type Texts, textsIn } from '../../../src/foundation/texts.ts'
import type english from './texts/en.json'

export type UnsubscribeTextKey = keyof typeof english

const folder = new URL('./texts/', import.meta.url)

export function unsubscribeTexts(language: Language): Texts<UnsubscribeTextKey> {
  return textsIn<UnsubscribeTextKey>(folder, language)
}
