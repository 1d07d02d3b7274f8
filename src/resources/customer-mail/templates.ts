import type { Context } from '../../foundation/context.ts'
import type { Language } from '../../foundation/languages.ts'
import type { MailTemplate } from './view.ts'

declare module '../../foundation/services.ts' {
  interface Services {
    /**
     * What a merchant changed for a group in a language; null: nothing. A port: resources/mail-templates implements it, which
     * knows the messages of this area.
     */
    readonly findMailTemplate: (
      context: Context,
      shopId: string,
      group: string,
      language: Language,
    ) => Promise<MailTemplate | null>
  }
}
