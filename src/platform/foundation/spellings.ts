import { isLanguage, primaryLanguage } from './languages.ts'

/** Converts other spellings of a value to ours. */
export interface Spelling {
  /** The value in our spelling; undefined if it is not recognised. */
  spell(text: string): string | undefined
  /** The warning for the caller; undefined if both spellings are equivalent. */
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

/** Encodes blanks, which are part of a path, and adds https to an address without a scheme. */
function spellAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const whole = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
  if (!addressPattern.test(whole)) return undefined
  // Spaces first: they are the usual blanks, and need no function call.
  return whole.replaceAll(' ', '%20').replaceAll(blank, encodeURIComponent)
}
