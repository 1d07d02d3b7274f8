import { readFileSync } from 'node:fs'
import { script, withoutComments } from '../assets.ts'

const source = readFileSync(new URL('./form.client.js', import.meta.url), 'utf8')

/** Enhances the form: previews, smaller photos, a drawn signature. Without comments and indentation. */
export const claimScript = script('claim', withoutComments(source))
