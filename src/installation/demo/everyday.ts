import { hasGlsCheck, hasMod10, hasMod37, hasS10Check } from '../../adapters/carriers/formats/check-digits.ts'
import { workingDay } from './calendar.ts'
import { type CustomerName, customers } from './customers.ts'
import { type JourneyName, routes } from './journeys.ts'
import { type DemoOrder, type DemoParcel, newsletter, search, welcome } from './order.ts'
import { type CountryCode, countries } from './places.ts'
import { everyVariant, type Line } from './products.ts'

/** Working days: about half a year, so that 90 days can be compared with the 90 before. */
const oldestDay = 155
/** Parcels sent today and the day before have stories of their own. */
const newestDay = 2

/** Orders by weekday of their parcel, from Sunday. Customers order on Sunday evening; nothing is sent on Sundays. */
const byWeekday = [0, 6, 4, 4, 3, 3, 2]

/**
 * Orders without a story of their own, oldest first: they fill the charts with half a year of a growing shop, its weekly
 * rhythm, its carriers and their delays. The same orders every time.
 */
export function everydayOrders(now: Date): DemoOrder[] {
  const random = createRandom(2026)
  const orders: DemoOrder[] = []
  for (let daysAgo = oldestDay; daysAgo >= newestDay; daysAgo -= 1) {
    const usual = byWeekday[workingDay(now, daysAgo).getUTCDay()] ?? 0
    // Half as many at the beginning; a little more or less every day.
    const count = Math.round(usual * (1 - (0.5 * daysAgo) / oldestDay) * (0.7 + 0.6 * random()))
    const reached = customersReachedIn(daysAgo)
    for (let index = 0; index < count; index += 1) orders.push(everydayOrder(reached, daysAgo, orders.length, random))
  }
  return orders
}

function everydayOrder(
  reached: readonly CustomerName[],
  daysAgo: number,
  index: number,
  random: () => number,
): DemoOrder {
  const customer = pick(reached, random)
  const { country } = customers[customer]
  const carrier = pick(carriersOf(country), random)
  const lines = [pick(sent, random), ...(random() < 0.35 ? [pick(sent, random)] : [])]
  const route = routes[countries[country].way]
  const delay = random() < 0.09 ? 1 + Math.floor(random() * 3) : 0
  const shipped: DemoParcel = {
    carrier,
    trackingNumber: trackingNumber(carrier, index),
    sentDaysAgo: daysAgo,
    journey: 'delivered',
    arrival: route.arrival + Math.min(delay, Math.max(0, daysAgo - route.arrival - 1)),
  }
  return {
    customer,
    lines,
    parcels: [{ ...shipped, journey: journeyOf(shipped, random) }],
    ...(random() < 0.12 ? { discount: welcome } : {}),
    ...(random() < 0.2 ? { analytics: random() < 0.5 ? newsletter : search } : {}),
    ...(random() < 0.15 ? { segments: ['newsletter'] } : {}),
  }
}

/** The possible journey of a parcel that was sent so long ago: most are delivered. */
function journeyOf({ sentDaysAgo, arrival = 0 }: DemoParcel, random: () => number): JourneyName {
  if (sentDaysAgo < arrival) return 'inTransit'
  if (sentDaysAgo === arrival) return 'outForDelivery'
  const chance = random()
  if (chance < 0.07) return 'intoLetterbox'
  if (chance < 0.12) return 'leftAtDoor'
  if (chance < 0.16 && sentDaysAgo > arrival + 1) return 'deliveredAtSecondAttempt'
  if (chance < 0.175 && sentDaysAgo > arrival + 5) return 'returned'
  return 'delivered'
}

/** Customers in countries whose hub a parcel reaches within these days. */
function customersReachedIn(daysAgo: number): CustomerName[] {
  const names = Object.keys(customers) as CustomerName[] // the keys of a constant object
  return names.filter((name) => {
    const { country } = customers[name]
    const lastScan = Math.max(...routes[countries[country].way].way.map(({ day }) => day))
    return carriersOf(country).length > 0 && daysAgo > lastScan
  })
}

const sent: readonly Line[] = everyVariant().filter(({ product }) => product !== 'card')

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** Numbers from 0 to 1 that are the same at every start (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The carriers of parcels to a country, those with more parcels several times. */
const carriers: Partial<Record<CountryCode, readonly string[]>> = {
  DE: ['dhl', 'dhl', 'dhl', 'dhl', 'dhl', 'hermes', 'gls', 'dpd'],
  AT: ['austrian-post'],
  BE: ['bpost'],
  CH: ['swiss-post'],
  FR: ['colissimo'],
  GB: ['royal-mail'],
  NL: ['postnl'],
  PL: ['inpost'],
  SE: ['postnord'],
}

/** A number as the carrier gives it: the same for the same index, another for each. */
const numbers: Record<string, (index: number) => string> = {
  dhl: (index) => checked(`00340434162${digits(index, 8)}`, hasMod10),
  hermes: (index) => `H${digits(index, 19)}`,
  gls: (index) => checked(`97${digits(index, 9)}`, hasGlsCheck),
  // Their check is a digit for some numbers and a letter for others; one with a letter is unmistakable.
  dpd: (index) => checked(`0152${digits(index, 10)}`, hasMod37, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
  'austrian-post': (index) => `10${digits(index, 20)}`,
  bpost: (index) => `3232${digits(index, 20)}`,
  'swiss-post': (index) => `99${digits(index, 16)}`,
  colissimo: (index) => `6A${checked(digits(index, 10), hasMod10)}`,
  'royal-mail': (index) => checkedS10('KH', index, 'GB'),
  postnl: (index) => `3SRPNL${digits(index, 9)}`,
  inpost: (index) => `6${digits(index, 23)}`,
  postnord: (index) => checked(`00373${digits(index, 14)}`, hasMod10),
}

function carriersOf(country: CountryCode): readonly string[] {
  return carriers[country] ?? []
}

function trackingNumber(carrier: string, index: number): string {
  const number = numbers[carrier]
  if (number === undefined) throw new Error(`the demo shop has no numbers of ${carrier}`)
  return number(index)
}

/** Digits that look random and differ for every index below a hundred million. */
function digits(index: number, length: number): string {
  const mixed = String((index * 48_271_937 + 31_415_927) % 100_000_007).padStart(8, '0')
  return mixed.repeat(3).slice(-length).padStart(length, '7')
}

/** The number with the last character that its check requires; the next number if there is none. */
function checked(start: string, isValid: (number: string) => boolean, characters = '0123456789'): string {
  const last = [...characters].find((character) => isValid(`${start}${character}`))
  if (last !== undefined) return `${start}${last}`
  const next = String(Number(start.slice(-4)) + 1).padStart(4, '0')
  return checked(`${start.slice(0, -4)}${next.slice(-4)}`, isValid, characters)
}

function checkedS10(prefix: string, index: number, country: string): string {
  const number = checked(`${prefix}${digits(index, 8)}`, (each) => hasS10Check(`${each}${country}`))
  return `${number}${country}`
}
