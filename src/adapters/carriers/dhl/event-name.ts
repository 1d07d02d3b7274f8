import { readTable } from '../code-map.ts'

export interface DhlStatus {
  /** DHL's name of the service, such as parcel-de. */
  service: string
  statusCode: string
  /** The service's own event code; some services put text here. */
  codeFields: readonly string[]
  /** In English, sometimes in German. */
  texts: readonly string[]
}

/**
 * Our event for an entry. The service's own code decides, in any language. Some codes are broad ("delivered"); for
 * those the text may be more specific. Without a code only the text is left.
 */
export function eventNameOf(status: DhlStatus): string | undefined {
  const coded = findCoded(status)
  if (coded !== undefined && !coded.wordsSayMore) return coded.eventName
  const byText = eventNameOfText(status.statusCode, status.texts, coded !== undefined)
  return byText ?? coded?.eventName
}

/** The service's own code as the tables write it: "CNRFC PCKST", "ZU", "WC", "NOT_HOME", "600". */
export function serviceCodeOf({ service, codeFields, texts }: DhlStatus): string | undefined {
  const form = codeForms.get(service)
  if (form === undefined) {
    const listed = [...codeFields, ...texts].find((text) => codes.has(keyOf(service, text)))
    return (listed ?? codeFields.find((text) => anyCode.test(text.trim())))?.trim().replaceAll(/\s+/g, '_')
  }
  const found = codeFields.map((text) => form.exec(text.trim())).filter((match) => match !== null)
  // The longest is the most specific: an event with its reason before the standard event.
  const [code] = found.map(([, ...parts]) => parts.filter((part) => part !== undefined).join(' ')).sort(byLength)
  return code
}

/**
 * By DHL's status code and its text: there are only five codes, so the texts make the difference. The first matching
 * row of `texts.csv` wins.
 */
export function eventNameOfText(
  statusCode: string,
  texts: readonly string[],
  isOnlyDetail = false,
): string | undefined {
  const text = texts
    .join(' ')
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .slice(0, maxTextLength)
  const rule = rules.find(
    ({ code, words, isCatchAll }) =>
      (code === '*' || code === statusCode) && !(isOnlyDetail && isCatchAll) && areInOrder(words, text),
  )
  return known.has(statusCode) ? rule?.eventName : undefined
}

interface CodedEvent {
  eventName: string
  wordsSayMore: boolean
}

function findCoded(status: DhlStatus): CodedEvent | undefined {
  const code = serviceCodeOf(status)
  if (code === undefined) return undefined
  const standard = status.codeFields.map((text) => text.trim()).find((text) => text.length === 2)
  return (
    codes.get(keyOf(status.service, `${code} ${standard}`)) ??
    codes.get(keyOf(status.service, code)) ??
    // No reason, or an unlisted one: the standard event is the closest.
    codes.get(keyOf(status.service, `${code} NRQRD`)) ??
    codes.get(keyOf(status.service, standard ?? ''))
  )
}

const codes: ReadonlyMap<string, CodedEvent> = new Map(
  readTable(new URL('./codes.csv', import.meta.url), 5).map(
    ([service = '', code = '', eventName = '', wordsSayMore = '']) => [
      keyOf(service, code),
      { eventName, wordsSayMore: wordsSayMore === 'yes' },
    ],
  ),
)

/** Services write their codes with underscores or spaces, in any case. */
function keyOf(service: string, code: string): string {
  return `${service} ${code
    .trim()
    .toUpperCase()
    .replaceAll(/[\s_]+/g, ' ')}`
}

/** The form of codes of a service that has none of its own. */
const anyCode = /^[A-Z0-9][A-Z0-9_/.-]{0,99}$/

/** An ICE event with its RIC reason or the two-letter standard event; or a two-letter checkpoint, or a whole shipment's state. */
const codeForms: ReadonlyMap<string, RegExp> = new Map([
  ['parcel-de', /^(?:([A-Z]{5})(?:[ :/_-]([A-Z]{5}))?|([A-Z]{2}))$/],
  ['express', /^([A-Z]{2}|10\d)$/],
])

/** DHL's texts are a sentence or two; a longer one is not from DHL. */
const maxTextLength = 500

const known = new Set(['pre-transit', 'transit', 'delivered', 'failure', 'unknown'])

const rules = readTable(new URL('./texts.csv', import.meta.url), 3).map(([code = '', eventName = '', phrase = '']) => ({
  code,
  eventName,
  words: phrase.split('*'),
  isCatchAll: phrase === '*',
}))

/** Whether the text contains these words in this order. One pass, where a regular expression would backtrack. */
function areInOrder(words: readonly string[], text: string): boolean {
  let from = 0
  return words.every((word) => {
    const found = text.indexOf(word, from)
    from = found + word.length
    return found !== -1
  })
}

function byLength(left: string, right: string): number {
  return right.length - left.length
}
