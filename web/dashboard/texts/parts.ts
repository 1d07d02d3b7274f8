/** The texts that some pages load with them, by their folder; the table of pages names them. */
export const laterTexts = {
  'app/conditions': {
    en: () => import('../app/conditions/texts.en.json'),
    de: () => import('../app/conditions/texts.de.json'),
  },
  'screens/ab-tests': {
    en: () => import('../screens/ab-tests/texts.en.json'),
    de: () => import('../screens/ab-tests/texts.de.json'),
  },
  'screens/account': {
    en: () => import('../screens/account/texts.en.json'),
    de: () => import('../screens/account/texts.de.json'),
  },
  'screens/automations': {
    en: () => import('../screens/automations/texts.en.json'),
    de: () => import('../screens/automations/texts.de.json'),
  },
  'screens/carriers': {
    en: () => import('../screens/carriers/texts.en.json'),
    de: () => import('../screens/carriers/texts.de.json'),
  },
  'screens/claims': {
    en: () => import('../screens/claims/texts.en.json'),
    de: () => import('../screens/claims/texts.de.json'),
  },
  'screens/connect': {
    en: () => import('../screens/connect/texts.en.json'),
    de: () => import('../screens/connect/texts.de.json'),
  },
  'screens/imports': {
    en: () => import('../screens/imports/texts.en.json'),
    de: () => import('../screens/imports/texts.de.json'),
  },
  'screens/marketing': {
    en: () => import('../screens/marketing/texts.en.json'),
    de: () => import('../screens/marketing/texts.de.json'),
  },
  'screens/messages': {
    en: () => import('../screens/messages/texts.en.json'),
    de: () => import('../screens/messages/texts.de.json'),
  },
  'screens/performance': {
    en: () => import('../screens/performance/texts.en.json'),
    de: () => import('../screens/performance/texts.de.json'),
  },
  'screens/sandbox': {
    en: () => import('../screens/sandbox/texts.en.json'),
    de: () => import('../screens/sandbox/texts.de.json'),
  },
  'screens/settings/audit-log': {
    en: () => import('../screens/settings/audit-log/texts.en.json'),
    de: () => import('../screens/settings/audit-log/texts.de.json'),
  },
  'screens/settings/calendar': {
    en: () => import('../screens/settings/calendar/texts.en.json'),
    de: () => import('../screens/settings/calendar/texts.de.json'),
  },
  'screens/settings/embedding': {
    en: () => import('../screens/settings/embedding/texts.en.json'),
    de: () => import('../screens/settings/embedding/texts.de.json'),
  },
  'screens/settings/keys': {
    en: () => import('../screens/settings/keys/texts.en.json'),
    de: () => import('../screens/settings/keys/texts.de.json'),
  },
  'screens/settings/mail': {
    en: () => import('../screens/settings/mail/texts.en.json'),
    de: () => import('../screens/settings/mail/texts.de.json'),
  },
  'screens/settings/mappings': {
    en: () => import('../screens/settings/mappings/texts.en.json'),
    de: () => import('../screens/settings/mappings/texts.de.json'),
  },
  'screens/settings/palette': {
    en: () => import('../screens/settings/palette/texts.en.json'),
    de: () => import('../screens/settings/palette/texts.de.json'),
  },
  'screens/settings/people': {
    en: () => import('../screens/settings/people/texts.en.json'),
    de: () => import('../screens/settings/people/texts.de.json'),
  },
  'screens/settings/privacy': {
    en: () => import('../screens/settings/privacy/texts.en.json'),
    de: () => import('../screens/settings/privacy/texts.de.json'),
  },
  'screens/settings/promises': {
    en: () => import('../screens/settings/promises/texts.en.json'),
    de: () => import('../screens/settings/promises/texts.de.json'),
  },
  'screens/settings/shop': {
    en: () => import('../screens/settings/shop/texts.en.json'),
    de: () => import('../screens/settings/shop/texts.de.json'),
  },
  'screens/settings/status': {
    en: () => import('../screens/settings/status/texts.en.json'),
    de: () => import('../screens/settings/status/texts.de.json'),
  },
  'screens/settings/team-mail': {
    en: () => import('../screens/settings/team-mail/texts.en.json'),
    de: () => import('../screens/settings/team-mail/texts.de.json'),
  },
  'screens/settings/withdrawal': {
    en: () => import('../screens/settings/withdrawal/texts.en.json'),
    de: () => import('../screens/settings/withdrawal/texts.de.json'),
  },
  'screens/sign-in': {
    en: () => import('../screens/sign-in/texts.en.json'),
    de: () => import('../screens/sign-in/texts.de.json'),
  },
}

export type TextPart = keyof typeof laterTexts
