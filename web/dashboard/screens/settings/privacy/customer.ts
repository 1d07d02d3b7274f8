import type { Schemas } from 'doorstep-client'

/** What there is about a customer, and what was erased of it. */
export type Counted = Schemas['CustomerErasurePreview']
export type Erased = Schemas['CustomerErasure']
