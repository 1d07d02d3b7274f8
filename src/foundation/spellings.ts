import { isLanguage, primaryLanguage } from './languages.ts'

/** How values that are spelled otherwise than ours are meant. */
export interface Spelling {
  /** The value as we spell it; undefined where it cannot be told. */
  spell(text: string): string | undefined
  /** What the caller is told; undefined where both spellings say the same. */
  note?: string
}

/** By the names that schemas refer to them with (`x-spelling`). */
export const spellings: Readonly<Record<string, Spelling>> = {
  language: {
    spell(text) {
      const language = primaryLanguage(text)
      return isLanguage(language) ? language : undefined
    },
  },
  currency: {
    spell: (text) => text.trim().toUpperCase(),
  },
  /** `order_creation` is `order-creation`. */
  hyphens: {
    spell: (text) => text.trim().toLowerCase().replaceAll('_', '-'),
  },
  'web-address': {
    spell: spellAddress,
    note: 'was not spelled as an address: blanks around it were taken off, others percent-encoded',
  },
}

const addressPattern = /^https?:\/\/[^\s/?#]+(?:[/?#]|$)/i
const blank = /\s/g

/** Blanks are evidently meant as part of a path, and an address without a scheme as one of the web. */
function spellAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const whole = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
  if (!addressPattern.test(whole)) return undefined
  // Almost always they are spaces, for which no function has to be called.
  return whole.replaceAll(' ', '%20').replaceAll(blank, encodeURIComponent)
}
