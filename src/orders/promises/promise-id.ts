import { dayMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { hmacSha256, isSame } from '../../platform/foundation/crypto.ts'

export const promiseBases = ['route', 'country', 'carrier', 'shop', 'table'] as const
export type PromiseBasis = (typeof promiseBases)[number]

/** Content of a promise id: the promise as it was shown. Days are YYYY-MM-DD. */
export interface ShownPromise {
  method: string
  carrierReference: string | null
  service: string | null
  countryCode: string
  earliest: string
  likeliest: string
  latest: string
  percentile: number
  /** Null: the basis is `table`. */
  shareByLatest: number | null
  sampleSize: number
  basis: PromiseBasis
  /** In whole seconds. */
  issuedAt: Date
}

/** Reasons why an id is not the promise of this shop. */
export type PromiseIdProblem = 'malformed' | 'not_genuine' | 'too_old'

/** A promise counts for orders that are placed within this time after it was shown. */
const promiseLifetimeMs = 7 * dayMs
/** Longer than any id that is given out. */
export const maxPromiseIdLength = 2_000

const purpose = 'delivery promises'
const prefix = 'dp1.'
const proofBytes = 16

/**
 * The promise itself as text, with a proof that this installation made it for this shop: nothing has to be stored when a
 * promise is shown.
 */
export function promiseId(context: Pick<Context, 'services'>, shopId: string, promise: ShownPromise): string {
  return promiseSigner(context, shopId)(promise)
}

/** Makes many ids of one shop. */
export function promiseSigner(context: Pick<Context, 'services'>, shopId: string): (promise: ShownPromise) => string {
  const key = context.services.signing.ofShop(shopId).current(purpose)
  return (promise) => {
    const text = Buffer.from(JSON.stringify(toFields(promise))).toString('base64url')
    return `${prefix}${text}.${proofOf(key, shopId, text)}`
  }
}

/** The promise of an id, if it is one of this shop and was shown shortly before `placedAt`. */
export function readPromiseId(
  context: Pick<Context, 'services'>,
  shopId: string,
  id: string,
  placedAt: Date,
): ShownPromise | PromiseIdProblem {
  const [, text = '', proof = ''] = pattern.exec(id.length > maxPromiseIdLength ? '' : id) ?? []
  if (text === '') return 'malformed'
  const keys = context.services.signing.ofShop(shopId).accepted(purpose)
  if (!keys.some((key) => isSame(proof, proofOf(key, shopId, text)))) return 'not_genuine'
  const promise = fromFields(JSON.parse(Buffer.from(text, 'base64url').toString()) as Fields) // signed by us, so made above
  return placedAt.getTime() - promise.issuedAt.getTime() > promiseLifetimeMs ? 'too_old' : promise
}

const pattern = /^dp1\.([A-Za-z0-9_-]{1,1950})\.([A-Za-z0-9_-]{22})$/

type Fields = [
  method: string,
  carrierReference: string | null,
  service: string | null,
  countryCode: string,
  earliest: string,
  likeliest: string,
  latest: string,
  percentile: number,
  shareByLatest: number | null,
  sampleSize: number,
  basis: PromiseBasis,
  issuedAtSeconds: number,
]

function toFields(promise: ShownPromise): Fields {
  return [
    promise.method,
    promise.carrierReference,
    promise.service,
    promise.countryCode,
    promise.earliest,
    promise.likeliest,
    promise.latest,
    promise.percentile,
    promise.shareByLatest,
    promise.sampleSize,
    promise.basis,
    Math.floor(promise.issuedAt.getTime() / 1_000),
  ]
}

function fromFields(fields: Fields): ShownPromise {
  const [method, carrierReference, service, countryCode, earliest, likeliest, latest, ...figures] = fields
  const [percentile, shareByLatest, sampleSize, basis, issuedAtSeconds] = figures
  return {
    method,
    carrierReference,
    service,
    countryCode,
    earliest,
    likeliest,
    latest,
    percentile,
    shareByLatest,
    sampleSize,
    basis,
    issuedAt: new Date(issuedAtSeconds * 1_000),
  }
}

function proofOf(key: Buffer, shopId: string, text: string): string {
  return hmacSha256(key, shopId, ' ', text).subarray(0, proofBytes).toString('base64url')
}
