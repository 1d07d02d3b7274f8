import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, errorBody } from '../platform/foundation/errors.ts'
import { StoreUnavailable } from '../platform/foundation/store-unavailable.ts'
import { isStoreFull } from '../platform/store/errors.ts'
import { isFromScript } from './request-origin.ts'

/** The one place where an error becomes a response. */
export function reportError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(request, reply, errorOf(error, request))
}

/** The error as callers see it. An unexpected one is logged, and its message is not shown. */
export function errorOf(error: FastifyError | Error, request: FastifyRequest): ApiError {
  const expected = error instanceof ApiError ? error : translate(error)
  if (expected !== undefined) return expected
  if (request.raw.readableAborted && (error as NodeJS.ErrnoException).code === 'ECONNRESET') {
    request.log.info('the client disconnected while it sent the body')
    return incomplete()
  }
  if (error instanceof StoreUnavailable) {
    request.log.warn({ err: error }, 'the store cannot be reached')
    return unavailable(error.mayHaveHappened && request.method !== 'GET')
  }
  if (isStoreFull(error)) {
    request.log.error({ err: error }, 'the disk of the store is full')
    return new ApiError('store_unavailable', 'The store has no space left. Nothing was changed. Try again later.', {
      headers: { 'retry-after': '30' },
    })
  }
  request.log.error({ err: error }, 'unexpected error')
  return new ApiError('unexpected', `Something went wrong on our side. Quote the request id ${request.id}.`)
}

/** The service searches for the store several times per second, so a caller need not wait for long. */
function unavailable(isOutcomeUnknown: boolean): ApiError {
  const advice = isOutcomeUnknown
    ? 'It is not known whether this request was carried out: send it again, with the same Idempotency-Key if it had one.'
    : 'Try again in a moment.'
  return new ApiError('store_unavailable', `The store cannot be reached right now. ${advice}`, {
    headers: { 'retry-after': '1' },
  })
}

function send(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  if (error.status === 401) {
    const scheme = isFromScript(request) ? 'Session realm="Doorstep"' : 'Basic realm="Doorstep", charset="UTF-8"'
    reply.header('www-authenticate', scheme)
  }
  return reply
    .code(error.status)
    .headers(error.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error.key, error.status, error.message, error.problems)))
}

/** Translates the rejections of the HTTP layer itself into errors of the API. */
function translate(error: FastifyError | Error): ApiError | undefined {
  const code = (error as Partial<FastifyError>).code ?? ''
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new ApiError('invalid_payload', 'The body is not valid JSON.', {
        problems: [{ loc: ['body'], msg: 'is not valid JSON', type: 'value_error' }],
      })
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
    case 'FST_FILES_LIMIT':
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return new ApiError('invalid_payload', 'The body is larger than this service accepts.', { status: 413 })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('invalid_payload', 'Send the body as application/json.', { status: 415 })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return incomplete()
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('route_not_found', 'This address is not well formed, or a part of it is too long.')
    default:
      return undefined
  }
}

function incomplete(): ApiError {
  return new ApiError('invalid_payload', 'The body is incomplete.', {
    problems: [{ loc: ['body'], msg: 'is incomplete', type: 'value_error' }],
  })
}
