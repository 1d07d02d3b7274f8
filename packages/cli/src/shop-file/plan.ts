import type { FieldChange, Json } from './compare.ts'
import type { Place } from './located.ts'

/** One thing of a shop that differs from the file. */
export interface Change {
  action: 'create' | 'update' | 'delete'
  /** `settings`, `campaign` */
  kind: string
  name: string
  fields: FieldChange[]
  /** Its place in the file; a thing to delete is in no file. */
  place?: Place
}

/** The ids of things by section and key: those of the shop, and those that were created meanwhile. */
export type Ids = Map<string, string>

/** One call that makes a change, or a part of it. */
export interface Step {
  change: Change
  /** The effect of the step, if that is not the change itself. */
  note?: string
  request(ids: Ids): { route: string; body?: Json }
  /** Under which key the id of the new one is kept. */
  creates?: string
  /** Finds the place in the file of a field that the service rejects. */
  placeOf?(path: readonly (string | number)[]): Place
}

/** The changes to a shop, in order. */
export interface ShopPlan {
  shop: string
  changes: Change[]
  steps: Step[]
  /** Things that the shop has and the file does not, and that stay. */
  kept: { kind: string; name: string }[]
  ids: Ids
}

export function idKey(section: string, identity: string): string {
  return `${section} ${identity}`
}
