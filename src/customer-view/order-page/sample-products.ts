import type { Language } from '../../platform/foundation/languages.ts'

/** The product of a made-up order, in every language: previews show it. */
export const sampleProducts: Record<Language, string> = {
  cs: 'Bunda do deště',
  da: 'Regnjakke',
  de: 'Regenjacke',
  en: 'Rain jacket',
  es: 'Chubasquero',
  fi: 'Sadetakki',
  fr: 'Veste de pluie',
  gr: 'Αδιάβροχο μπουφάν',
  hu: 'Esőkabát',
  it: 'Giacca da pioggia',
  lv: 'Lietus jaka',
  nl: 'Regenjas',
  pl: 'Kurtka przeciwdeszczowa',
  pt: 'Casaco impermeável',
  sk: 'Bunda do dažďa',
  sv: 'Regnjacka',
}
