/** Every table of the store with its columns: the type of `context.db`. Each context declares its own in `rows.ts`, by merging. */
// biome-ignore lint/suspicious/noEmptyInterface: the contexts fill it.
export interface Tables {}
