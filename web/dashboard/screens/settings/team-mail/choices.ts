import type { Schemas } from 'doorstep-client'
import type { Choice } from '../../../kit/field.tsx'
import { languages } from '../../../texts/language.ts'
import { t } from '../../../texts/texts.ts'

export type Digest = Schemas['TeamMailSubscription']['digest']

/** Empty: that of the shop. */
export type MessageLanguage = '' | 'en' | 'de'

export function digestChoices(): Choice<Digest>[] {
  return (['off', 'daily', 'weekly'] as const).map((value) => ({ value, label: t(`team_mail.digest_of.${value}`) }))
}

export function languageChoices(): Choice<MessageLanguage>[] {
  return [
    { value: '', label: t('team_mail.language_of_shop') },
    ...(['en', 'de'] as const).map((value) => ({ value, label: languages[value] })),
  ]
}

export function languageOf(chosen: MessageLanguage): 'en' | 'de' | null {
  return chosen === '' ? null : chosen
}
