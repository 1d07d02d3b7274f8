import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Below this, headers and latency are most of a response. */
const worthBytes = 1_400

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Compresses a response to a page of our own, as the dashboard is: its readers may be on a slow network, and a list is a
 * tenth of its size afterwards. Programs get what is cheapest to send. A foreign page cannot measure what a response has
 * in common with an address that it made up, because the browser says that it is foreign.
 */
export async function compressed(
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
