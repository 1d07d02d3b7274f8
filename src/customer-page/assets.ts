import { sha256 } from '../platform/foundation/crypto.ts'
import { ApiError } from '../platform/foundation/errors.ts'
import type { Html } from '../platform/foundation/html.ts'
import { page } from '../platform/foundation/page-route.ts'
import { type PublicDocument, publicDocument } from '../platform/foundation/public-document.ts'

/** A script that pages load. Its name contains a hash of its text, so browsers can cache it forever. */
export interface Script {
  file: string
}

/** An inline style, with the hash that the page's content security policy allows. */
export interface Style {
  element: Html
  source: string
}

const scripts = new Map<string, PublicDocument>()

/** Registers a script under its own URL; to be called once per script. */
export function script(name: string, text: string): Script {
  const file = `${name}-${sha256(text).toString('hex').slice(0, 12)}.js`
  scripts.set(file, publicDocument('text/javascript; charset=utf-8', text))
  return { file }
}

/** CSS without insignificant whitespace. */
export function compact(styles: readonly string[]): string {
  return linesOf(styles.join(''))
    .join('')
    .replaceAll(/ ?([{};]) ?/g, '$1')
}

/** JavaScript without comments and indentation. */
export function withoutComments(source: string): string {
  return linesOf(source)
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) => `${line}\n`)
    .join('')
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim())
}

export function style(text: string): Style {
  return { element: { html: `<style>${text}</style>` }, source: `'sha256-${sha256(text).toString('base64')}'` }
}

/** A shop cannot have this slug, so the path cannot clash. */
export const scriptFolder = '/track/-'

export const scriptPage = page({
  name: 'pageScript',
  route: 'GET /track/-/{file}',
  async handle(_context, { path }) {
    const found = scripts.get(path.file)
    if (found === undefined) throw new ApiError('route_not_found', 'There is no such file.')
    const headers = { 'cache-control': 'public, max-age=31536000, immutable' }
    return { status: 200, headers, document: found }
  },
})
