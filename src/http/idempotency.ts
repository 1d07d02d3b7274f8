import type { FastifyRequest } from 'fastify'
import { after, dayMs } from '../platform/foundation/clock.ts'
import type { Context } from '../platform/foundation/context.ts'
import { sha256 } from '../platform/foundation/crypto.ts'
import { ApiError, errorBody, invalid } from '../platform/foundation/errors.ts'
import type { Operation } from '../platform/foundation/operation.ts'
import { inTransaction } from '../platform/foundation/transaction.ts'
import {
  claimRequest,
  findResponse,
  openResponse,
  type RequestIdentity,
  releaseRequest,
  sealResponse,
  storeResponse,
} from '../platform/store/idempotency.ts'
import type { Rendered } from './render.ts'

/**
 * Replays the response of the first request to a repeated one. The reservation of the key, the work and the response
 * are one transaction: if the process dies in the middle, none of them remains, and a request repeated while the first
 * still runs waits for it.
 */
export async function respondOnce(
  context: Context,
  operation: Operation,
  { identity, content }: RepeatableRequest,
  handle: (context: Context) => Promise<Rendered>,
): Promise<Rendered> {
  const requestHash = sha256(JSON.stringify([operation.name, content]))
  const notBefore = after(context.now, -dayMs)
  // An operation that calls other servers must not keep a transaction open: key and response are written separately.
  const work = operation.callsOut ? withoutTransaction : inTransaction
  try {
    return await work(context, async (context) => {
      if (!(await claimRequest(context, identity, requestHash, notBefore))) {
        return replayFirst(context, identity, requestHash, notBefore)
      }
      const rendered = await handle(context)
      // No POST returns bytes, so what is stored is always text.
      await storeResponse(context, identity, { ...rendered, body: sealResponse(context, String(rendered.body)) })
      return rendered
    })
  } catch (error) {
    if (error instanceof KeyReused) throw error
    // A transaction has rolled its reservation back; without one it is released here.
    if (operation.callsOut) await releaseRequest(context, identity, requestHash)
    // A rejected request wrote nothing, but its error is the first response, unless it only came too early.
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      const rendered = {
        status: error.status,
        headers: { ...error.headers },
        body: sealResponse(context, JSON.stringify(errorBody(error.key, error.status, error.message, error.problems))),
      }
      if (await claimRequest(context, identity, requestHash, notBefore))
        await storeResponse(context, identity, rendered)
    }
    throw error
  }
}

interface RepeatableRequest {
  identity: RequestIdentity
  /** The same in a repeated request. */
  content: unknown
}

class KeyReused extends ApiError {}

export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  const key = String(given)
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid(['header', 'Idempotency-Key'], 'must be 1 to 255 visible ASCII characters')
  }
  return key
}

async function replayFirst(
  context: Context,
  identity: RequestIdentity,
  requestHash: Buffer,
  notBefore: Date,
): Promise<Rendered> {
  const stored = await findResponse(context, identity, notBefore)
  const loc = ['header', 'Idempotency-Key']
  if (stored === undefined || !stored.requestHash.equals(requestHash)) {
    const { problems } = invalid(loc, 'was used for another request')
    throw new KeyReused('invalid_payload', 'This Idempotency-Key was used for another request.', { problems })
  }
  if (stored.status === 0) {
    throw new KeyReused('invalid_payload', 'The first request with this Idempotency-Key has not finished.', {
      status: 409,
    })
  }
  return {
    status: stored.status,
    headers: { ...stored.headers, 'idempotent-replayed': 'true' },
    body: openResponse(context, stored.body),
  }
}

function withoutTransaction<Result>(context: Context, work: (context: Context) => Promise<Result>): Promise<Result> {
  return work(context)
}
