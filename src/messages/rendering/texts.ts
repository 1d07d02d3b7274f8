import type claimEnglish from '../../customer-view/texts/claim/en.json'
import type pageEnglish from '../../customer-view/texts/page/en.json'
import type { Language } from '../../platform/foundation/languages.ts'
import { type Texts, textsIn } from '../../platform/foundation/texts.ts'
import type english from './texts/en.json'

export type MailTextKey = keyof typeof english

/** The texts of a message. Those that the tracking page also has, such as the steps of a delivery, are the page's. */
export interface MailTexts {
  own: Texts<MailTextKey>
  page: Texts<keyof typeof pageEnglish>
  claim: Texts<keyof typeof claimEnglish>
}

const folders = {
  own: new URL('./texts/', import.meta.url),
  page: new URL('../../customer-view/texts/page/', import.meta.url),
  claim: new URL('../../customer-view/texts/claim/', import.meta.url),
}

export function mailTexts(language: Language): MailTexts {
  return {
    own: textsIn(folders.own, language),
    page: textsIn(folders.page, language),
    claim: textsIn(folders.claim, language),
  }
}

/** The texts of a message unless the merchant has changed them, with variables: {first_name}. */
export interface OwnTexts {
  subject: string
  preheader: string
  heading: string
  introduction: string
}

/** Our own texts of a group, to a customer of whom everything is known. */
export function ownMailTexts(group: string, language: Language): OwnTexts {
  const { own } = mailTexts(language)
  const find = (part: keyof OwnTexts) => own.find(`group.${group}.${part}`) ?? own.say(`group.other.${part}`)
  return {
    subject: find('subject'),
    preheader: find('preheader'),
    heading: find('heading'),
    introduction: find('introduction'),
  }
}
