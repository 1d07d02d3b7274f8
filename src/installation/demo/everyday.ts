import { workingDay } from './calendar.ts'
import { type CustomerName, customers } from './customers.ts'
import { type JourneyName, routes } from './journeys.ts'
import { type DemoOrder, type DemoParcel, newsletter, parcel, search, welcome } from './order.ts'
import { countries } from './places.ts'
import { everyVariant, type Line } from './products.ts'
import { carriersOf, trackingNumber } from './tracking-numbers.ts'

/** Working days: about half a year, so that 90 days can be compared with the 90 before. */
const oldestDay = 155
/** What is sent today and the day before is told one by one. */
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
  const shipped = parcel(carrier, trackingNumber(carrier, index), daysAgo, 'delivered', {
    arrival: route.arrival + Math.min(delay, Math.max(0, daysAgo - route.arrival - 1)),
  })
  return {
    customer,
    lines,
    parcels: [{ ...shipped, journey: journeyOf(shipped, random) }],
    ...(random() < 0.12 ? { discount: welcome } : {}),
    ...(random() < 0.2 ? { analytics: random() < 0.5 ? newsletter : search } : {}),
    ...(random() < 0.15 ? { segments: ['newsletter'] } : {}),
  }
}

/** What a parcel sent so long ago can have behind it: most are delivered. */
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
