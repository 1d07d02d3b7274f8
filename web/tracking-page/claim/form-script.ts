import { readFileSync } from 'node:fs'
import { script, withoutComments } from '../assets.ts'

const source = readFileSync(new URL('./form.client.js', import.meta.url), 'utf8')

/** What the form can do beyond a form: previews, smaller photos, a signature by hand. Without comments and indents. */
export const claimScript = script('claim', withoutComments(source))
