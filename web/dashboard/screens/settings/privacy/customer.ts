import type { Schemas } from 'doorstep-client'

/** The numbers of a customer's records, and of those that were erased. */
export type Counted = Schemas['CustomerErasurePreview']
export type Erased = Schemas['CustomerErasure']
