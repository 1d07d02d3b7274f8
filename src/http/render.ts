import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Warning, Warnings } from '../platform/foundation/lenient.ts'
import { type Operation, ReplyWithHeaders, WrittenJson } from '../platform/foundation/operation.ts'
import { exactTotalLimit, type Page, pageBody, pageRequest } from '../platform/foundation/page.ts'
import { isBytesReply, isEmptyReply, isStreamReply } from '../platform/foundation/schema.ts'
import type { ReadInput } from './read-input.ts'

/** A response before it is sent. */
export interface Rendered {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | Readable
}

const jsonType = 'application/json; charset=utf-8'

/** Turns what a handler returned into a response. */
export function render(operation: Operation, result: unknown, input: ReadInput, url: () => URL): Rendered {
  const headers = result instanceof ReplyWithHeaders ? { ...result.headers } : {}
  const value: unknown = result instanceof ReplyWithHeaders ? result.body : result
  const status = operation.successStatus
  if (status === 204 || isEmptyReply(operation.reply)) return { status, headers, body: '' }
  // Its handler returns texts, which are sent as fast as the client reads them.
  if (isStreamReply(operation.reply)) {
    return { status, headers, body: Readable.from(value as AsyncIterable<string>, { objectMode: false }) }
  }
  if (isBytesReply(operation.reply)) return { status, headers, body: value as Uint8Array } // its handler returns bytes
  if (value instanceof WrittenJson) {
    return { status, headers: { ...headers, 'content-type': jsonType }, body: value.bytes }
  }
  if (!operation.isPaged) return { status, headers, body: JSON.stringify(value ?? null) }
  const page = value as Page<unknown> // a paged reply's handler returns a page
  return {
    status,
    headers: Object.assign(headers, pageHeaders(page, input, url())),
    body: JSON.stringify(pageBody(operation.reply, page.items)),
  }
}

/**
 * Lists what was left out of a request or ignored in a response that is an object, after the warnings of its own, and
 * counts it in a header of any other.
 */
export function withWarnings(rendered: Rendered, { listed, count }: Warnings, brand: string): Rendered {
  if (count === 0) return rendered
  const { body, headers } = rendered
  const isWritten = body instanceof Uint8Array && headers['content-type'] === jsonType
  const text = isWritten ? Buffer.from(body).toString() : body
  if (typeof text === 'string' && text.startsWith('{')) {
    const { warnings = [], ...fields } = JSON.parse(text) as { warnings?: Warning[] } // as our schemas declare it
    return { ...rendered, body: JSON.stringify({ ...fields, warnings: [...warnings, ...listed] }) }
  }
  return { ...rendered, headers: { ...headers, [`${brand}-Warnings`.toLowerCase()]: String(count) } }
}

export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Rendered,
): Promise<FastifyReply> {
  reply.code(status).headers(headers)
  const { etag } = headers
  if (etag !== undefined && request.headers['if-none-match'] === etag) return reply.code(304).send()
  // HEAD gets the headers alone: no rows are read for it.
  if (body === '' || (body instanceof Readable && request.method === 'HEAD')) return reply.send()
  const isJson = typeof body === 'string' || headers['content-type'] === jsonType
  if (isJson) reply.type(jsonType)
  return reply.send(isJson && !(body instanceof Readable) ? await compressed(request, reply, body) : body)
}

/** RFC 8288 links to the neighbouring pages, and the total if it is exact. */
function pageHeaders(page: Page<unknown>, input: ReadInput, url: URL): Record<string, string> {
  const { page: current } = pageRequest(input.query)
  const linkTo = (target: number, relation: string) => {
    const neighbour = new URL(url)
    neighbour.searchParams.set('page', String(target))
    return `<${neighbour.href}>; rel="${relation}"`
  }
  const links = [linkTo(1, 'first')]
  if (current > 1) links.push(linkTo(current - 1, 'prev'))
  if (page.hasNext) links.push(linkTo(current + 1, 'next'))
  const headers: Record<string, string> = { link: links.join(', ') }
  if (page.total !== undefined && page.total <= exactTotalLimit) headers['x-total-count'] = String(page.total)
  return headers
}

/** Below this, headers and latency are most of a response. */
const worthBytes = 1_400

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Compresses a response to a page of our own, as the dashboard is: its readers may be on a slow network, and a list is a
 * tenth of its size afterwards. Programs get what is cheapest to send. A foreign page cannot measure what a response has
 * in common with an address that it made up, because the browser says that it is foreign.
 */
async function compressed(
  { headers: { 'accept-encoding': accepted = '', 'sec-fetch-site': site } }: FastifyRequest,
  reply: FastifyReply,
  body: string | Uint8Array,
): Promise<string | Uint8Array> {
  if (site !== 'same-origin' || body.length < worthBytes) return body
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'accept-encoding' : `${others}, accept-encoding`)
  if (/\bbr\b/.test(String(accepted))) {
    reply.header('content-encoding', 'br')
    return compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
  }
  if (/\bgzip\b/.test(String(accepted))) {
    reply.header('content-encoding', 'gzip')
    return compressGzip(body)
  }
  return body
}

/** As fast as gzip, and smaller. */
const quality = 4
