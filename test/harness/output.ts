import { fileURLToPath } from 'node:url'

/** The folder for pictures that people look at. */
export const output = fileURLToPath(new URL('../output/', import.meta.url))
