import { type Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findJsonExcess, JsonCounter, type JsonExcess, type JsonLimits } from '../platform/foundation/count-json.ts'
import { ApiError, invalid } from '../platform/foundation/errors.ts'
import { excessSentences, jsonLimits } from '../platform/foundation/json-limits.ts'
import { hasStorableTexts } from '../platform/foundation/storable-text.ts'
import { mayHaveLargeBody } from './unread-bodies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether no text of the JSON body contains U+0000 or a lone surrogate. False: not known. */
    hasStorableTexts: boolean
    /** The content of the JSON body was counted while it arrived. */
    isJsonCounted: boolean
  }
}

/** Accepts JSON bodies only. Some clients send the content type without a body; that counts as no body. */
export function readJson(app: FastifyInstance, bodyLimitBytes: number): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  const limits = jsonLimits(bodyLimitBytes)
  app.decorateRequest('hasStorableTexts', false)
  app.decorateRequest('isJsonCounted', false)
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!mayHaveLargeBody(request) || !isJson(request)) return done()
    request.isJsonCounted = true
    done(null, countedBody(payload, limits))
  })
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer // because of parseAs
    if (bytes.length === 0) return done(null, undefined)
    const excess = request.isJsonCounted ? undefined : findJsonExcess(bytes, limits)
    if (excess !== undefined) return done(tooMuch(excess), undefined)
    const text = bytes.toString('utf8')
    request.hasStorableTexts = hasStorableTexts(text)
    parse(request, text, done)
  })
}

function isJson({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.toLowerCase().startsWith('application/json') ?? false
}

/** Passes on a body as it arrives, until it exceeds a limit: then no more of it is kept. */
function countedBody(body: Readable, limits: JsonLimits): Transform {
  const counter = new JsonCounter(limits)
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const excess = counter.add(chunk)
      if (excess === undefined) done(null, chunk)
      else done(tooMuch(excess))
    },
  })
  // `pipe` passes on neither.
  body.once('error', (error) => counted.destroy(error))
  body.once('close', () => !body.readableEnded && counted.destroy())
  return body.pipe(counted)
}

function tooMuch(excess: JsonExcess): ApiError {
  if (excess === 'depth') return invalid(['body'], excessSentences.depth)
  const message = `The body ${excessSentences[excess]}. Send it in several requests.`
  return new ApiError('invalid_payload', message, { status: 413 })
}
