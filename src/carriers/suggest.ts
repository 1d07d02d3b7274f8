import { readTable } from './code-map.ts'
import { wordsOfText } from './normalise.ts'

/** What an unknown code may mean: the event of a known code that is described by nearly the same words. */
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

const tables = [
  { file: './aftership/codes.csv', columns: 3 },
  { file: './dhl/codes.csv', columns: 5 },
  { file: './easypost/codes.csv', columns: 3 },
  { file: './fedex/codes.csv', columns: 3 },
  { file: './ups/codes.csv', columns: 3 },
]

/** The known codes of all providers. The event is named in the column before, or two before, the meaning. */
const entries: readonly Entry[] = tables.flatMap(({ file, columns }) =>
  readTable(new URL(file, import.meta.url), columns).flatMap((row) => {
    const eventName = row[columns === 5 ? 2 : 1] ?? ''
    const meaning = row.at(-1) ?? ''
    const words = meaningfulWords(meaning)
    return eventName === 'MORE_INFO_ON_CARRIER_WEBSITE' || words.size < 2 ? [] : [{ eventName, meaning, words }]
  }),
)
