import type { Language } from '../../foundation/languages.ts'

/** What a message says unless the merchant has changed it, with variables: {first_name}. */
export interface OwnTexts {
  subject: string
  preheader: string
  heading: string
  introduction: string
}

declare module '../../foundation/services.ts' {
  interface Services {
    /** Our own texts of a group. A port: they are data of web/mail. */
    readonly ownMailTexts: (group: string, language: Language) => OwnTexts
  }
}
