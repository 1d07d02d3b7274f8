/** Every error key of the API, with its status: the contract in one list. */
export const errorStatus = {
  a_b_test_not_found: 404,
  a_b_test_overlap: 409,
  announcement_exists: 409,
  announcement_not_found: 404,
  api_key_not_found: 404,
  automation_exists: 409,
  automation_not_found: 404,
  backfill_not_found: 404,
  backfill_running: 409,
  bad_gateway: 502,
  campaign_active_segment_exists: 409,
  campaign_exists: 409,
  campaign_not_found: 404,
  campaign_product_not_found: 404,
  campaign_type_invalid: 422,
  carrier_reference_invalid: 422,
  claim_not_found: 404,
  cursor_expired: 410,
  deal_not_found: 404,
  delivery_not_found: 404,
  discount_exists: 409,
  discount_in_use: 409,
  discount_not_found: 404,
  exception_not_found: 404,
  image_media_unsupported: 415,
  image_not_found: 404,
  import_not_found: 404,
  insufficient_rights: 403,
  internal_trigger_not_found: 404,
  invalid_merchant_or_key: 401,
  invalid_payload: 422,
  note_not_found: 404,
  order_exists: 409,
  order_not_found: 404,
  org_exists: 409,
  org_not_found: 404,
  partner_key_missing_permissions: 400,
  partner_key_not_found: 404,
  permission_denied: 403,
  product_not_found: 404,
  rate_limited: 429,
  route_not_found: 404,
  service_not_implemented: 501,
  session_not_found: 404,
  shipment_exists: 409,
  shipment_not_found: 404,
  shop_exists: 409,
  shop_fixtures_not_found: 404,
  shop_not_found: 404,
  shop_settings_not_found: 404,
  store_unavailable: 503,
  suppression_not_found: 404,
  unexpected: 500,
  user_exists: 409,
  user_not_found: 404,
  view_not_found: 404,
  webhook_exists: 409,
  webhook_not_found: 404,
  zip_code_invalid: 422,
} as const

export type ErrorKey = keyof typeof errorStatus

/** One problem of a request, at a place in it: `['body', 'products', 0, 'price']`. */
export interface Problem {
  loc: (string | number)[]
  msg: string
  type: 'missing' | 'value_error' | 'type_error'
}

/** The only expected error: it is sent with its key, its status and a sentence that says what to do. */
export class ApiError extends Error {
  readonly key: ErrorKey
  readonly status: number
  readonly problems: Problem[]
  readonly headers: Record<string, string>

  constructor(
    key: ErrorKey,
    message: string,
    detail: { status?: number; problems?: Problem[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.key = key
    this.status = detail.status ?? errorStatus[key]
    this.problems = detail.problems ?? []
    this.headers = detail.headers ?? {}
  }
}

/** An error for a value that a schema alone cannot check, located like any validation error. */
export function invalid(loc: (string | number)[], msg: string, key: ErrorKey = 'invalid_payload'): ApiError {
  return new ApiError(key, `${loc.slice(1).join('.') || loc[0]}: ${msg}`, {
    problems: [{ loc, msg, type: 'value_error' }],
  })
}

/** Too many of something: the same number of seconds is in the sentence and in the header. */
export function rateLimited(problem: string, waitSeconds: number): ApiError {
  const headers = { 'retry-after': String(waitSeconds) }
  return new ApiError('rate_limited', `${problem} Try again in ${waitSeconds} s.`, { headers })
}

/** The contract lists problems for 422 only; other errors have a message. */
export function errorBody(key: ErrorKey, status: number, message: string, problems: Problem[] = []) {
  const errors = status === 422 ? problems : []
  return { key, message, type: status < 500 ? 'invalid_request_error' : 'api_error', errors }
}
