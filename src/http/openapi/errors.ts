import { type ErrorKey, errorStatus } from '../../platform/foundation/errors.ts'
import { isPublic, type Operation } from '../../platform/foundation/operation.ts'
import type { Json } from './refer.ts'

/** Every error an operation may return: those it declares, and those that follow from what it is. */
export function errorsOf(operation: Operation): [number, ErrorKey][] {
  const found: [number, ErrorKey][] = operation.errors.map((key) => [errorStatus[key], key])
  if (operation.needs !== 'nobody' && operation.needs !== 'credentials') {
    found.push([403, 'insufficient_rights'])
  }
  // Credentials that are sent are checked everywhere.
  found.push([400, 'invalid_merchant_or_key'], [401, 'invalid_merchant_or_key'], [429, 'rate_limited'])
  if (operation.isShopScoped) found.push([404, 'shop_not_found'])
  // Bodies of callers without a key may be cut.
  if (isPublic(operation) && operation.method !== 'GET') {
    found.push([408, 'invalid_payload'])
  }
  // A body is read whenever one may be sent, even if none is expected.
  if (operation.method !== 'GET') found.push([413, 'invalid_payload'], [415, 'invalid_payload'])
  if (operation.method !== 'GET' || operation.query || /\{(?!slug\})/.test(operation.path)) {
    found.push([422, 'invalid_payload'])
  }
  // An Idempotency-Key whose first request is still calling out.
  if (operation.callsOut && operation.method === 'POST') found.push([409, 'invalid_payload'])
  found.push([500, 'unexpected'], [503, 'store_unavailable'])
  return found
}

/** The body of every error. */
export const errorSchema: Json = {
  type: 'object',
  required: ['key', 'message', 'type', 'errors'],
  properties: {
    key: { type: 'string', enum: Object.keys(errorStatus) },
    message: { type: 'string' },
    type: { type: 'string', enum: ['api_error', 'invalid_request_error'] },
    errors: {
      type: 'array',
      description: 'Empty except for validation errors',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          msg: { type: 'string' },
          type: { type: 'string', enum: ['missing', 'value_error', 'type_error'] },
        },
      },
    },
  },
}
