import { describe, expect, it } from 'vitest'
import { withoutEmails } from '../../src/http/log.ts'
import { operations } from '../../src/operations.ts'
import { findJsonExcess } from '../../src/platform/foundation/count-json.ts'
import { chooseLanguage } from '../../src/platform/foundation/languages.ts'
import { createRepair, Warnings } from '../../src/platform/foundation/lenient.ts'
import { Maybe, type TSchema, Url } from '../../src/platform/foundation/schema.ts'
import { createValidator } from '../../src/platform/foundation/validate.ts'

/** Twice the input may take at most this many times as long: linear work takes twice, quadratic four times as long. */
const mostGrowth = 3

/** Times below this are noise. */
const leastMs = 20

describe('request of any size', () => {
  const orders = bodyOf('fulfilOrders')
  const products = bodyOf('upsertProducts')
  const claim = bodyOf('createClaim')
  const deal = bodyOf('createDeal')
  const check = (schema: TSchema, value: (size: number) => unknown) => {
    const validator = createValidator(schema, 'body')
    return (size: number) => {
      const made = value(size)
      return () => validator.problems(made)
    }
  }
  const mend = createRepair(orders)
  const repair = (value: (size: number) => unknown) => (size: number) => {
    // A repair changes its value, so each run needs its own.
    const made = [value(size), value(size)]
    return () => mend?.(made.pop(), ['body'], new Warnings())
  }
  const imagesOf = (size: number, image: object) =>
    Array.from({ length: 1_000 }, () => ({
      id: '1',
      trackings: [],
      order: { products: Array.from({ length: size / 1_000 }, () => ({ images: [image, { ...image }] })) },
    }))
  const few = { depth: 100, containers: 10, values: 2_000_000, names: 2_000_000 }
  const list = (item: unknown) => (size: number) => Array.from({ length: size }, () => item)
  const wrongLast = (item: unknown) => (size: number) => [...list(item)(size), 1]

  it.each<[string, number, (size: number) => () => unknown]>([
    ['addresses in a log line', 200_000, (size) => () => withoutEmails('@'.repeat(size))],
    ['escaped addresses in a log line', 200_000, (size) => () => withoutEmails(`/${'%40'.repeat(size)}`)],
    ['an address that never ends', 200_000, (size) => () => withoutEmails(`${'a'.repeat(size)}@${'b'.repeat(size)}`)],
    ['a link that is none', 100_000, check(Url, (size) => `https://${'a'.repeat(size)} `)],
    ['a link that may be missing', 100_000, check(Maybe(Url), (size) => `https://${'a'.repeat(size)} `)],
    ['languages', 100_000, (size) => () => chooseLanguage('de;q=0.1,'.repeat(size), 'en')],
    ['wrong orders', 20_000, check(orders, list(1))],
    ['empty orders', 20_000, check(orders, list({}))],
    ['products of an order', 100_000, check(orders, (size) => [{ order: { products: list({})(size) } }])],
    ['products of which the last is wrong', 100_000, check(products, wrongLast({}))],
    ['items of a claim', 100_000, check(claim, (size) => ({ selected_items: list({ image_urls: [1] })(size) }))],
    ['images that are left out', 20_000, repair((size) => imagesOf(size, { src: 'none' }))],
    ['images that are spelled otherwise', 10_000, repair((size) => imagesOf(size, { src: '//shop.example/a b' }))],
    [
      'texts that look like values',
      500_000,
      (size) => () => findJsonExcess(Buffer.from(`["${'{,'.repeat(size)}"]`), few),
    ],
    ['names', 200_000, (size) => () => findJsonExcess(namesOf(size), few)],
    ['values', 500_000, (size) => () => findJsonExcess(Buffer.from(`[${'1,'.repeat(size)}1]`), few)],
    [
      'fields that may have any name',
      20_000,
      check(deal, (size) => ({
        translations: [{ data: Object.fromEntries(list(1)(size).map((value, index) => [`field ${index}`, value])) }],
      })),
    ],
  ])('costs time in proportion: %s', (_what, size, prepare) => {
    let growth = Number.POSITIVE_INFINITY
    // Other load on the machine disturbs a measurement; slow code is slow every time.
    for (let attempt = 0; attempt < 5 && growth > mostGrowth; attempt += 1) growth = growthOf(prepare, size)
    expect(growth).toBeLessThanOrEqual(mostGrowth)
  })
})

function namesOf(count: number): Buffer {
  return Buffer.from(`{${Array.from({ length: count }, (_, index) => `"${index}":1`).join(',')}}`)
}

/** How many times as much processor time twice the input takes; 1 if neither is measurable. */
function growthOf(prepare: (size: number) => () => unknown, size: number): number {
  const half = prepare(size)
  const whole = prepare(2 * size)
  half()
  const [less, more] = [costOf(half), costOf(whole)]
  return more < leastMs ? 1 : more / Math.max(less, leastMs / 2)
}

function costOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function bodyOf(name: string): TSchema {
  const body = operations.find((operation) => operation.name === name)?.body
  if (body === undefined) throw new Error(`${name} takes no body`)
  return body
}
