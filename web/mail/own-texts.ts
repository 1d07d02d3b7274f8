import type { Language } from '../../src/foundation/languages.ts'
import type { OwnTexts } from '../../src/resources/mail-templates/own-texts.ts'
import { mailTexts } from './texts.ts'

/** What a message says unless the merchant has changed it, to a customer of whom everything is known. */
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
