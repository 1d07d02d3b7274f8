import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding, PublicDocument } from '../platform/foundation/public-document.ts'
import type { PieceTurns } from './piece-turns.ts'

declare module 'fastify' {
  interface FastifyInstance {
    pieceTurns: PieceTurns
  }
}

/** Bytes of a document copied at a time: TLS encrypts as much per connection, and other requests wait for that. */
export const pieceBytes = 65_536

/**
 * Sends a document whose bytes all responses share, in the smallest form that the client accepts. If the status is not
 * 200, the document is a temporary one, and gets no ETag.
 */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: PublicDocument,
): Promise<FastifyReply> {
  const { mediaType, etag } = document
  reply.header('vary', 'accept-encoding').type(mediaType)
  if (reply.statusCode === 200) reply.header('etag', etag)
  if (reply.statusCode === 200 && request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const [encoding, bytes] = await smallest(String(request.headers['accept-encoding'] ?? ''), document)
  if (encoding) reply.header('content-encoding', encoding)
  if (request.method === 'HEAD' || bytes.length <= pieceBytes) return reply.send(bytes)
  return reply.header('content-length', bytes.length).send(inPieces(bytes, request.server.pieceTurns))
}

/** The smallest first, and how clients name it. */
const encodings = [
  ['br', /\bbr\b/],
  ['gzip', /\bgzip\b/],
] as const

async function smallest(accepted: string, document: PublicDocument): Promise<[Encoding | undefined, Buffer]> {
  for (const [encoding, name] of encodings) {
    const bytes = name.test(accepted) ? await document.encoded(encoding) : undefined
    if (bytes) return [encoding, bytes]
  }
  return [undefined, document.plain]
}

/** Sends parts of the same memory, alternating with those of other responses. */
function inPieces(bytes: Buffer, turns: PieceTurns): Readable {
  let sent = 0
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      turns.next(() => {
        if (this.destroyed) return
        const piece = bytes.subarray(sent, sent + pieceBytes)
        sent += piece.length
        this.push(piece.length > 0 ? piece : null)
      })
    },
  })
}
