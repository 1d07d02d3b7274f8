import { Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'
import { promiseBases } from './promise-id.ts'

const promiseSources = ['promise', 'given'] as const
export const promiseStates = ['open', 'at_risk', 'kept', 'broken'] as const
export type PromiseState = (typeof promiseStates)[number]

const PromiseDay = Type.String({ format: 'date', maxLength: 10, examples: ['2026-11-20'] })
const Method = Type.String({ minLength: 1, maxLength: 255, examples: ['Standard'] })

/** Fields of an order about the delivery that its customer was promised. */
export const PromiseId = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    'The id of the promise that the customer was shown, from `GET /delivery-promises`. An id that is wrong, of another shop or too old is ignored with a warning. While no parcel of the order is delivered, a new one replaces the promise',
  examples: ['dp1.eyJtIjoiU3RhbmRhcmQifQ.3q2-7w'],
})

export const GivenPromise = Named(
  'GivenPromise',
  Type.Object(
    {
      earliest: Type.Optional(Nullable({ ...PromiseDay, examples: ['2026-11-18'] })),
      latest: { ...PromiseDay, description: 'The last day on which the order is to arrive' },
      method: Type.Optional(Nullable(Method)),
    },
    {
      description:
        'What the customer was promised, if it was not by a promise id. With both, the promise id counts if it is valid',
    },
  ),
)
export type GivenPromise = Static<typeof GivenPromise>

const share = (description: string, example: number) => Nullable(Type.Number({ description, examples: [example] }))

/** The promise of an order, and its outcome. */
export const PromisedDelivery = Named(
  'PromisedDelivery',
  Type.Object({
    earliest: Nullable({ ...PromiseDay, examples: ['2026-11-18'] }),
    likeliest: Nullable({ ...PromiseDay, examples: ['2026-11-19'] }),
    latest: { ...PromiseDay, description: 'The last day that was promised, in the country of destination' },
    method: Nullable({ ...Method, description: 'The shipping method, as the customer was shown it' }),
    percentile: share('How likely the shop wants its promises to hold', 0.9),
    share_by_latest: share('The share of past parcels that arrived by the last day', 0.93),
    sample_size: Nullable(Type.Integer({ description: 'Past parcels behind it', examples: [412] })),
    basis: Nullable(OneOf(promiseBases, { description: 'Which past parcels these are', examples: ['route'] })),
    source: OneOf(promiseSources, {
      description: 'promise: by a promise id; given: as the order states it',
      examples: ['promise'],
    }),
    state: OneOf(promiseStates, {
      description:
        'at_risk: it is less likely to hold than the shop wants; kept: the last parcel was delivered by the end of the last day; broken: it was delivered later, or the day has passed',
      examples: ['open'],
    }),
    chance: share('How likely it is to hold, as of the last scan or day; null if that is not known, or decided', 0.82),
    delivered_on: Nullable({ ...PromiseDay, description: 'When the last parcel was delivered' }),
  }),
)
export type PromisedDelivery = Static<typeof PromisedDelivery>
