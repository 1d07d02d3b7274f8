import { readTable } from '../code-map.ts'

/**
 * Which event an entry of DHL is: by its status code and the words of its text. DHL's five codes are few, so the texts
 * of its services, in English, say the rest. The first line of `texts.csv` that fits counts.
 */
export function eventNameOf(statusCode: string, texts: readonly string[]): string | undefined {
  const text = texts.join(' ').toLowerCase().replaceAll(/\s+/g, ' ').slice(0, longestText)
  const rule = rules.find(({ code, words }) => (code === '*' || code === statusCode) && areInOrder(words, text))
  return known.has(statusCode) ? rule?.eventName : undefined
}

/** DHL's texts are a sentence or two; what is longer is none of them. */
const longestText = 500

const known = new Set(['pre-transit', 'transit', 'delivered', 'failure', 'unknown'])

const rules = readTable(new URL('./texts.csv', import.meta.url), 3).map(([code = '', eventName = '', phrase = '']) => ({
  code,
  eventName,
  words: phrase.split('*'),
}))

/** Whether the words stand in the text one after another; in one walk, where a pattern would try each place again. */
function areInOrder(words: readonly string[], text: string): boolean {
  let from = 0
  return words.every((word) => {
    const found = text.indexOf(word, from)
    from = found + word.length
    return found !== -1
  })
}
