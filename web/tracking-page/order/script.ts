import { readFileSync } from 'node:fs'
import { script, withoutComments } from '../assets.ts'

const source = readFileSync(new URL('./page.client.js', import.meta.url), 'utf8')

/** What the page does beyond being read: it renews itself when the order changes. Without comments and indents. */
export const pageScript = script('page', withoutComments(source))
