import type { Language } from '../../src/foundation/languages.ts'
import { type Texts, textsIn } from '../../src/foundation/texts.ts'
import type claimEnglish from '../tracking-page/claim/texts/en.json'
import type pageEnglish from '../tracking-page/texts/en.json'
import type english from './texts/en.json'

export type MailTextKey = keyof typeof english

/** The words of a message. What the tracking page says too, such as the steps of a delivery, is said in its words. */
export interface MailTexts {
  own: Texts<MailTextKey>
  page: Texts<keyof typeof pageEnglish>
  claim: Texts<keyof typeof claimEnglish>
}

const folders = {
  own: new URL('./texts/', import.meta.url),
  page: new URL('../tracking-page/texts/', import.meta.url),
  claim: new URL('../tracking-page/claim/texts/', import.meta.url),
}

export function mailTexts(language: Language): MailTexts {
  return {
    own: textsIn(folders.own, language),
    page: textsIn(folders.page, language),
    claim: textsIn(folders.claim, language),
  }
}
