import type { FastifyInstance } from 'fastify'
import { ApiError } from '../foundation/errors.ts'
import { hasStorableTexts } from '../foundation/storable-text.ts'
import { hasTooManyValues, type ValueLimits } from './count-values.ts'

/**
 * A body may have one list or object per 36 bytes of its limit, and one value per 9 bytes. The densest realistic orders
 * (products of three short fields) have one per 38 and per 9.5 bytes; orders with images one per 60 and per 16.
 */
const bytesPerContainer = 36
const bytesPerValue = 9

/** Always allowed, however low the byte limit is: small bodies are denser. */
const minimum: ValueLimits = { containers: 10_000, values: 40_000 }

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether no text of the JSON body contains U+0000 or a lone surrogate. False: not known. */
    hasStorableTexts: boolean
  }
}

/** Accepts JSON bodies only. Some clients send the content type without a body; that counts as no body. */
export function readJson(app: FastifyInstance, bodyLimitBytes: number): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  const limits = {
    containers: Math.max(minimum.containers, Math.floor(bodyLimitBytes / bytesPerContainer)),
    values: Math.max(minimum.values, Math.floor(bodyLimitBytes / bytesPerValue)),
  }
  app.decorateRequest('hasStorableTexts', false)
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer // because of parseAs
    if (bytes.length === 0) return done(null, undefined)
    // Parsing 10 MB of empty objects would take 1 to 2 s.
    if (hasTooManyValues(bytes, limits)) return done(tooManyValues(), undefined)
    const text = bytes.toString('utf8')
    request.hasStorableTexts = hasStorableTexts(text)
    parse(request, text, done)
  })
}

function tooManyValues(): ApiError {
  const message = 'The body has more values than this service accepts. Send it in several requests.'
  return new ApiError('invalid_payload', message, { status: 413 })
}
