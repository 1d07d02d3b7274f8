import { findCarrier } from '../adapters/carriers/find.ts'
import { defineCache } from '../platform/foundation/caches.ts'
import { minuteMs } from '../platform/foundation/clock.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import type { PromiseSettings } from './schema.ts'
import { lastWays, type Way } from './ways-store.ts'

const maxSuggestions = 50

/** By shop; as old as what is learnt from the same parcels. */
const waysCache = defineCache<KnownWays>({ name: 'ways of parcels', maxEntries: 500, ttlMs: 10 * minuteMs })

export async function waysOf(context: ShopContext): Promise<KnownWays> {
  const cache = context.services.caches.open(waysCache)
  const { id } = context.shop
  return cache.get(id, context.now) ?? cache.load(context, id, async () => new KnownWays(await lastWays(context)))
}

/** The service and the origin of a method's parcels to a destination, as these name them. */
export interface NamedWay {
  service: string | null
  origin: string | null
}

/** How a shop's parcels were sent. */
export class KnownWays {
  readonly #byCarrier: Map<string, Way[]>
  readonly #named = new Map<string, NamedWay>()

  /** The most used first. */
  constructor(ways: readonly Way[]) {
    this.#byCarrier = groupBy(ways, ({ carrier }) => carrier)
  }

  /**
   * The service that most parcels of a carrier have, if a method names none, and whether their scans say where they came from:
   * what is learnt is learnt by both.
   */
  nameFor(carrier: string, service: string | null, origin: string, destination: string): NamedWay {
    const name = `${carrier}\n${service ?? ''}\n${origin}\n${destination}`
    const known = this.#named.get(name)
    if (known !== undefined) return known
    if (this.#named.size >= 10_000) this.#named.clear()
    const fitting = (this.#byCarrier.get(carrier) ?? []).filter(
      (way) => (service === null || way.service === service) && (way.origin === origin || way.origin === null),
    )
    const best = fitting.find((way) => way.destination === destination) ?? fitting[0]
    const named = best === undefined ? { service, origin } : { service: best.service, origin: best.origin }
    this.#named.set(name, named)
    return named
  }
}

/** Suggestions for methods: each carrier and service with the countries it went to. */
export function suggestionsFrom(ways: readonly Way[]): PromiseSettings['suggestions'] {
  const groups = groupBy(ways, ({ carrier, service }) => JSON.stringify([carrier, service]))
  const suggestions = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const countries = new Set(group.flatMap(({ destination }) => destination ?? []))
    return {
      carrier_reference: first.carrier,
      carrier_name: findCarrier(first.carrier)?.name ?? null,
      service: first.service,
      countries: [...countries].sort(),
      parcels: group.reduce((sum, { parcels }) => sum + parcels, 0),
    }
  })
  return suggestions.sort((one, other) => other.parcels - one.parcels).slice(0, maxSuggestions)
}

function groupBy(ways: readonly Way[], nameOf: (way: Way) => string): Map<string, Way[]> {
  const groups = new Map<string, Way[]>()
  for (const way of ways) {
    const group = groups.get(nameOf(way))
    if (group === undefined) groups.set(nameOf(way), [way])
    else group.push(way)
  }
  return groups
}
