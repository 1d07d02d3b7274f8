import type { Context } from '../../platform/foundation/context.ts'
import { instant } from '../../platform/foundation/schema.ts'
import { type PromiseIdProblem, readPromiseId, type ShownPromise } from './promise-id.ts'
import type { GivenPromise } from './schema.ts'

/** The promise that an order comes with. */
export interface OrderPromise extends Omit<ShownPromise, PossiblyUnknown> {
  source: 'promise' | 'given'
  earliest: string | null
  likeliest: string | null
  method: string | null
  /** Null: that of the order. */
  countryCode: string | null
  percentile: number | null
  sampleSize: number | null
  basis: string | null
}

type PossiblyUnknown = 'earliest' | 'likeliest' | 'method' | 'countryCode' | 'percentile' | 'sampleSize' | 'basis'

/** Fields of an order about its promise. */
export interface PromiseFields {
  promise_id?: string | null
  promised_delivery?: GivenPromise | null
  order_placed_at?: string | null
}

/** A part that is ignored, and why: a promise that does not count never rejects its order. */
export interface IgnoredPart {
  field: 'promise_id' | 'promised_delivery'
  msg: string
}

const problems: Record<PromiseIdProblem, string> = {
  malformed: 'is not a promise id',
  not_genuine: 'is not the id of a promise of this shop',
  too_old: 'is the id of a promise that was shown too long before the order was placed',
}

/** The promise of an order's fields: that of its promise id if it is valid, else the given one. */
export function promiseIn(
  context: Pick<Context, 'services' | 'now'>,
  shopId: string,
  fields: PromiseFields,
): { promise: OrderPromise | undefined; ignored: IgnoredPart[] } {
  const { promise_id: id, promised_delivery: given, order_placed_at } = fields
  const ignored: IgnoredPart[] = []
  if (id) {
    const placedAt = order_placed_at ? instant(order_placed_at) : context.now
    const shown = readPromiseId(context, shopId, id, placedAt)
    if (typeof shown === 'object') return { promise: { source: 'promise', ...shown }, ignored }
    ignored.push({ field: 'promise_id', msg: problems[shown] })
  }
  if (!given) return { promise: undefined, ignored }
  if (given.earliest && given.earliest > given.latest) {
    ignored.push({ field: 'promised_delivery', msg: 'must not have an earliest day after the latest' })
    return { promise: undefined, ignored }
  }
  return { promise: givenPromise(given, context.now), ignored }
}

function givenPromise({ earliest, latest, method }: GivenPromise, now: Date): OrderPromise {
  return {
    source: 'given',
    earliest: earliest ?? null,
    likeliest: null,
    latest,
    method: method ?? null,
    carrierReference: null,
    service: null,
    countryCode: null,
    percentile: null,
    shareByLatest: null,
    sampleSize: null,
    basis: null,
    issuedAt: now,
  }
}
