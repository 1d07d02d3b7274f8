import { readFileSync } from 'node:fs'
import { script, withoutComments } from '../assets.ts'

const source = readFileSync(new URL('./page.client.js', import.meta.url), 'utf8')

/** Refreshes the page when the order changes. Without comments and indentation. */
export const pageScript = script('page', withoutComments(source))
