import type { FastifyInstance } from 'fastify'
import { ApiError } from '../foundation/errors.ts'
import { hasTooManyValues, type MostValues } from './count-values.ts'

/**
 * For so many bytes of its limit a body may have one list or object, and one value. The densest orders worth sending
 * (products of three short fields) have a list or object in 38 bytes and a value in 9.5; orders with images in 60 and 16.
 */
const bytesPerContainer = 36
const bytesPerValue = 9

/** So many may be sent however low the limit is: a small body is dense more easily. */
const fewest: MostValues = { containers: 10_000, values: 40_000 }

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the texts of the JSON body are known to have no U+0000 and no half of a surrogate pair. */
    hasStorableTexts: boolean
  }
}

/** JSON and nothing else. Clients name the type also where they send no body, which is no body then. */
export function readJson(app: FastifyInstance, bodyLimitBytes: number): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  const most = {
    containers: Math.max(fewest.containers, Math.floor(bodyLimitBytes / bytesPerContainer)),
    values: Math.max(fewest.values, Math.floor(bodyLimitBytes / bytesPerValue)),
  }
  app.decorateRequest('hasStorableTexts', false)
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer // as it was asked for
    if (bytes.length === 0) return done(null, undefined)
    // Parsing 10 MB of empty objects would take 1 to 2 s.
    if (hasTooManyValues(bytes, most)) return done(tooManyValues(), undefined)
    const text = bytes.toString('utf8')
    request.hasStorableTexts = hasStorableTexts(text)
    parse(request, text, done)
  })
}

function tooManyValues(): ApiError {
  const message = 'The body has more values than this service accepts. Send it in several requests.'
  return new ApiError('invalid_payload', message, { status: 413 })
}

/** U+0000, the first half of a surrogate pair without the second, or the second without the first. */
const unstorableEscape = /\\u(?:0000|[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])|[c-fC-F](?<!\\u[dD][89abAB]..\\u[dD].)))/

/**
 * In JSON both can only be written as an escape, which a search in 10 MB finds in 5 ms; a walk over all values takes 37 to 107.
 * Behind an escaped backslash `u` is no escape, so that nothing is known of such a text.
 */
function hasStorableTexts(text: string): boolean {
  return !text.includes('\\\\u') && !unstorableEscape.test(text)
}
