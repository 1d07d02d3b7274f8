import { type RawBuilder, sql } from 'kysely'
import { finalEvents } from '../../platform/catalogue/catalogue.ts'
import { literals } from '../../platform/store/literals.ts'

/**
 * Sorts the events of a shipment between their time and their id: of equal times, those that end the journey come last.
 * For rows of `shipment_events`; `inOrderOfTime` is the same rule for objects.
 */
export const finalEventLast: RawBuilder<boolean> = sql`event_key in ${literals(finalEvents)}`
