import { defineCache } from '../platform/foundation/caches.ts'
import { hourMs, minuteMs } from '../platform/foundation/clock.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { sha256 } from '../platform/foundation/crypto.ts'
import type { Language } from '../platform/foundation/languages.ts'
import { type Asked, type Known, makePromises, type WordlessPromises } from './promises.ts'
import type { DeliveryPromises } from './schema.ts'
import type { PromiseShop } from './shop-rules.ts'
import { promiseWords } from './words.ts'

/** The promises for everybody who requests the same, and the last texts that were made of them. */
interface Answer {
  shop: PromiseShop
  known: Known
  from: number
  until: number
  validUntil: string
  made: WordlessPromises
  said: SaidPromises | undefined
}

/** The promises in a language, as JSON; the same for a whole minute. */
interface SaidPromises {
  language: Language
  minute: number
  etag: string
  /** Without the brace at its beginning. */
  json: Buffer
}

/** Few are kept: one may be as long as the promises of 200 methods. It is valid only for what it was made from. */
const answerCache = defineCache<Answer>({ name: 'delivery promises', maxEntries: 200 })

/** The reply to a question as JSON, and its ETag. Signing and predicting take longest, so both are kept for a while. */
export function answer(
  context: ShopContext,
  shop: PromiseShop,
  known: Known,
  asked: Asked & { language: Language },
): { json: Uint8Array; etag: string } {
  const answer = answerTo(context, shop, known, asked)
  const { json, etag } = say(answer, asked.language, Math.floor(context.now.getTime() / minuteMs))
  const head: Omit<DeliveryPromises, 'promises' | 'without_promise'> = {
    generated_at: context.now.toISOString(),
    valid_until: answer.validUntil,
    percentile: shop.percentile,
    country_code: asked.country,
    zip_code: asked.zip,
  }
  return { json: Buffer.concat([Buffer.from(`${JSON.stringify(head).slice(0, -1)},`), json]), etag }
}

function answerTo(context: ShopContext, shop: PromiseShop, known: Known, asked: Asked): Answer {
  const cache = context.services.caches.open(answerCache)
  const name = JSON.stringify([context.shop.id, asked.country, asked.region, ...[...asked.classes].sort()])
  const now = context.now.getTime()
  const kept = cache.get(name)
  if (kept !== undefined && isOf(kept, shop, known) && kept.from <= now && now < kept.until) return kept
  // To the hour: ids stay the same for as long as their promise does.
  const hour = Math.floor(now / hourMs) * hourMs
  const made = makePromises(context, { shop, known }, asked, new Date(hour))
  const validUntil = validUntilOf(context, shop, made)
  const until = Math.min(hour + hourMs, Date.parse(validUntil))
  const answer: Answer = { shop, known, from: now, until, validUntil, made, said: undefined }
  cache.set(name, answer)
  return answer
}

function isOf(kept: Answer, shop: PromiseShop, { model, ways }: Known): boolean {
  return kept.shop === shop && kept.known.model === model && kept.known.ways === ways
}

function say(answer: Answer, language: Language, minute: number): SaidPromises {
  const { said, made } = answer
  if (said?.language === language && said.minute === minute) return said
  const words = promiseWords(language)
  // From the end of the minute, so that no text states more time than is left.
  const countedFrom = (minute + 1) * minuteMs
  // Many methods promise the same.
  const texts = new Map<string, string>()
  const textOf = ({ earliest, latest, order_by }: (typeof made.promises)[number]) => {
    const name = earliest + latest + order_by
    const text = texts.get(name) ?? words.promise(earliest, latest, Date.parse(order_by) - countedFrom)
    texts.set(name, text)
    return text
  }
  const json = JSON.stringify({
    promises: made.promises.map((promise) => ({ ...promise, text: textOf(promise) })),
    without_promise: made.without_promise,
  })
  const digest = sha256(`${answer.shop.percentile} ${answer.validUntil} ${json}`).toString('base64url')
  // Weak: the moment at which it was made is not part of it.
  const etag = `W/"${digest.slice(0, 22)}"`
  answer.said = { language, minute, json: Buffer.from(json.slice(1)), etag }
  return answer.said
}

/** The earliest order_by, or the end of the day where the goods are. */
function validUntilOf({ now }: ShopContext, shop: PromiseShop, { promises }: WordlessPromises): string {
  let earliest = shop.methods[0]?.schedule.endOfDay(now).toISOString() ?? endOfUtcDay(now)
  for (const { order_by } of promises) if (order_by < earliest) earliest = order_by
  return earliest
}

function endOfUtcDay(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString()
}
