/** The languages of the dashboard. A new one is one more file beside each texts.en.json, and its lines here and in this folder. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

const storageName = 'doorstep.language'
/** By which the service knows which texts to send with the page. */
const cookieName = 'doorstep_language'

/** The language that the reader has chosen, or else the browser's language. */
export function chosenLanguage(): Language {
  const wanted = [localStorage.getItem(storageName), ...navigator.languages.map((tag) => tag.split('-')[0])]
  return wanted.find(isLanguage) ?? 'en'
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(storageName, language)
  noteLanguage()
}

/** Passes a choice on to the service, for the next visit. */
export function noteLanguage(): void {
  const chosen = localStorage.getItem(storageName)
  if (!isLanguage(chosen)) return
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox have had the Cookie Store API for less than two years
  document.cookie = `${cookieName}=${chosen}; path=/dashboard; max-age=31536000; samesite=lax`
}

function isLanguage(tag: string | null | undefined): tag is Language {
  return tag !== null && tag !== undefined && Object.hasOwn(languages, tag)
}
