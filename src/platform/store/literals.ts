import { type RawBuilder, sql } from 'kysely'

/** Names that are part of the code, written into a statement: `phase in ${literals(phases)}`. Never what a caller sent. */
export function literals(names: readonly string[]): RawBuilder<unknown> {
  return sql`(${sql.join(names.map((name) => sql.lit(name)))})`
}
