import { fileURLToPath } from 'node:url'

/** Where pictures for people are left. */
export const output = fileURLToPath(new URL('../output/', import.meta.url))
