import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError } from 'doorstep-client'
import { cleanText } from './data.ts'

/** A call that cannot run as it is; the message says what to do. */
export class ToolError extends Error {
  readonly key: string

  constructor(key: string, message: string) {
    super(message)
    this.name = 'ToolError'
    this.key = key
  }
}

/** Advice for the agent about an error of the API, by its key. */
const advice = new Map<string, string>([
  [
    'insufficient_rights',
    'The role of this API key does not allow it. Do not try again; tell the user which role it takes.',
  ],
  ['invalid_merchant_or_key', 'The API key is wrong, expired or revoked. Ask the user to connect with another one.'],
  ['shop_not_found', 'Leave out the argument shop: if there are several, the error names them.'],
  ['order_not_found', 'Call search_orders with what the customer said, and use an order_id from its result.'],
  ['shipment_not_found', 'Call where_is_order, and use a shipment_id from its result.'],
  ['delivery_not_found', 'Call why_messages, and use a delivery_id from its result.'],
  ['exception_not_found', 'The parcel needs nobody any more, or never did. Call list_exceptions for those that do.'],
  ['rate_limited', 'Wait as long as the message says, then try again once.'],
  ['store_unavailable', 'Try again once in a few seconds.'],
  ['unreachable', 'The service does not respond. Tell the user; do not try again more than once.'],
  ['timeout', 'It took too long. Narrow the question, or try again once.'],
  ['unexpected', 'This is a fault of the service. Tell the user the request id; do not try again.'],
])

/** An error as an agent reads it: the key of the API, what is wrong, and what to do. */
export function toErrorResult(error: unknown): CallToolResult {
  const { key, message } = describe(error)
  const hint = advice.get(key)
  const text = [`${key}: ${cleanText(message, 2_000)}`, ...(hint === undefined ? [] : [`What to do: ${hint}`])]
  return { content: [{ type: 'text', text: text.join('\n') }], isError: true }
}

export function isExpected(error: unknown): boolean {
  return error instanceof ToolError || error instanceof ApiError
}

function describe(error: unknown): { key: string; message: string } {
  if (error instanceof ToolError) return error
  if (!(error instanceof ApiError)) return { key: 'unexpected', message: 'The tool failed.' }
  if (isTimeout(error.cause)) return { key: 'timeout', message: 'The service did not respond in time.' }
  const problems = error.errors.map(({ loc, msg }) => ` ${loc.slice(1).join('.')} ${msg}.`).slice(0, 10)
  const requestId = error.key === 'unexpected' && error.requestId ? ` Request id: ${error.requestId}.` : ''
  return { key: error.key, message: `${error.message}${problems.join('')}${requestId}` }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'AbortError')
}
