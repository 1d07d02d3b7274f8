import type { Schemas } from 'doorstep-client'

/** A key as the API lists it, with its secret masked. */
export type Key = Schemas['ApiKeyList']['tokens'][number]
