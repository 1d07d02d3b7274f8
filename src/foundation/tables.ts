/** Every table of the store with its columns: the type of `context.db`. `database/tables.ts` declares them by merging. */
// biome-ignore lint/suspicious/noEmptyInterface: the database fills it.
export interface Tables {}
