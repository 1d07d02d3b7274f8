/** Every table of the store with its columns: the type of `context.db`. Each context declares its own in `rows.ts`, by merging. */
// biome-ignore lint/suspicious/noEmptyInterface: each context's rows.ts merges its tables into it, so here it has none.
export interface Tables {}
