/** The texts that some screens load with them, by the folder of the screens; `later-texts.json` says which those are. */
export const laterTexts = {
  en: {
    'ab-tests': () => import('texts:en/ab-tests'),
    automations: () => import('texts:en/automations'),
    carriers: () => import('texts:en/carriers'),
    claims: () => import('texts:en/claims'),
    connect: () => import('texts:en/connect'),
    imports: () => import('texts:en/imports'),
    marketing: () => import('texts:en/marketing'),
    messages: () => import('texts:en/messages'),
    sandbox: () => import('texts:en/sandbox'),
    settings: () => import('texts:en/settings'),
  },
  de: {
    'ab-tests': () => import('texts:de/ab-tests'),
    automations: () => import('texts:de/automations'),
    carriers: () => import('texts:de/carriers'),
    claims: () => import('texts:de/claims'),
    connect: () => import('texts:de/connect'),
    imports: () => import('texts:de/imports'),
    marketing: () => import('texts:de/marketing'),
    messages: () => import('texts:de/messages'),
    sandbox: () => import('texts:de/sandbox'),
    settings: () => import('texts:de/settings'),
  },
}

export type TextPart = keyof (typeof laterTexts)['en']
