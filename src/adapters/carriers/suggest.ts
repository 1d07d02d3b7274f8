import { readTable } from './code-map.ts'
import { wordsOfText } from './normalise.ts'
import type { ProviderDescription } from './provider.ts'
import { describedProviders } from './registry.ts'

/** A possible meaning of an unknown code: the event of a known code that is described by nearly the same words. */
export interface Suggestion {
  eventName: string
  /** The words of the known code. */
  meaning: string
}

/** Below this share of common words, two texts are about different things. */
const minLikeness = 0.5

/** A suggestion is never applied by itself: carriers use the same words for different things. */
export function suggestEvent(text: string | null): Suggestion | undefined {
  const sought = meaningfulWords(text ?? '')
  if (sought.size < 2) return undefined
  let best: { entry: Entry; likeness: number } | undefined
  for (const entry of entries) {
    const likeness = likenessOf(sought, entry.words)
    if (likeness >= minLikeness && likeness > (best?.likeness ?? 0)) best = { entry, likeness }
  }
  return best && { eventName: best.entry.eventName, meaning: best.entry.meaning }
}

interface Entry extends Suggestion {
  words: ReadonlySet<string>
}

const noise = new Set('A AN THE OF TO IN AT ON BY FOR FROM WITH AND OR IS ARE HAS HAVE BEEN WAS YOUR ITS'.split(' '))

function meaningfulWords(text: string): Set<string> {
  // Everybody calls the parcel something else.
  const named = wordsOfText(text).map((word) =>
    /^(SHIPMENT|PACKAGE|ITEM|CONSIGNMENT)S?$/.test(word) ? 'PARCEL' : word,
  )
  return new Set(named.filter((word) => !noise.has(word)))
}

/** The common words as a share of all words of both. */
function likenessOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const common = [...left].filter((word) => right.has(word)).length
  return common / (left.size + right.size - common)
}

/** The known codes of all providers. */
const entries: readonly Entry[] = describedProviders
  .map(({ codes }: ProviderDescription) => codes)
  .filter((codes) => codes !== undefined)
  .flatMap(({ file, columns, eventColumn }) =>
    readTable(file, columns).flatMap((row) => {
      const eventName = row[eventColumn] ?? ''
      const meaning = row.at(-1) ?? ''
      const words = meaningfulWords(meaning)
      return eventName === 'MORE_INFO_ON_CARRIER_WEBSITE' || words.size < 2 ? [] : [{ eventName, meaning, words }]
    }),
  )
