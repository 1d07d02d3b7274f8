import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hidesPages, withoutPageTokens } from '../orders/page-addresses/hide-tokens.ts'
import type { Allowance } from '../platform/foundation/allowance.ts'
import type { Context, ShopContext, ShopRecord } from '../platform/foundation/context.ts'
import { sha256 } from '../platform/foundation/crypto.ts'
import { isPublic, isRepeatable, type Operation } from '../platform/foundation/operation.ts'
import { audited } from '../shops/audit-log/record.ts'
import type { Authenticator } from './authenticate.ts'
import { type AuthorizeOptions, createAnonymousCheck, createAuthorization, rejectWhilePaused } from './authorize.ts'
import { createCrossOriginCheck, mountPreflight } from './cross-origin.ts'
import { readIdempotencyKey, respondOnce } from './idempotency.ts'
import type { IncomingBodies } from './incoming-bodies.ts'
import { createOwnFields, type OwnFieldsAt } from './own-fields.ts'
import { PublicKeyCheck } from './public-key.ts'
import { createInputReader, type ReadInput } from './read-input.ts'
import { type Rendered, render, send, withWarnings } from './render.ts'
import { smallBodyBytes } from './unread-bodies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operationName?: string
    /** Its body may be so large that it takes long to arrive. */
    isUpload?: boolean
  }
}

export interface MountOptions {
  authenticator: Authenticator
  base: Pick<Context, 'db' | 'services'>
  /** Requests per minute per key; undefined: no limit. */
  allowance: Allowance | undefined
  importLimitBytes: number
  bodies: IncomingBodies
  publicUrl: () => string
  /** The prefix of our own headers. */
  brand: string
}

const outsideShops = '00000000-0000-0000-0000-000000000000'

/** Mounts a route for each operation: authorize, read the input, handle it once, send the reply. */
export function mountOperations(app: FastifyInstance, operations: readonly Operation[], options: MountOptions): void {
  const { authenticator, base, allowance } = options
  const authorizing = { authenticator, base, allowance, publicKeys: new PublicKeyCheck(base) }
  const ownFields = createOwnFields(operations)
  const mountOne = (app: FastifyInstance, operation: Operation) =>
    mount(app, operation, { ...options, ownFieldsAt: ownFields(operation) }, authorizing)
  // A plugin of their own, because body parsers apply to all routes of one.
  app.register(async (signed) => {
    signed.removeAllContentTypeParsers()
    signed.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const operation of operations) if (operation.signed) mountOne(signed, operation)
  })
  for (const operation of operations) if (!operation.signed) mountOne(app, operation)
}

interface OperationOptions extends MountOptions {
  ownFieldsAt: OwnFieldsAt
}

function mount(
  app: FastifyInstance,
  operation: Operation,
  options: OperationOptions,
  authorizing: AuthorizeOptions,
): void {
  const authorize = createAuthorization(operation, authorizing)
  const { takesPublicKey } = operation
  for (const path of [operation.path, operation.aliasPath]) {
    if (path === undefined) continue
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    if (takesPublicKey) mountPreflight(app, operation, url, options)
    app.route({
      method: operation.method,
      url,
      config: { operationName: operation.name, isUpload: operation.uploadSink !== undefined },
      onRequest: [
        ...(takesPublicKey ? [createCrossOriginCheck(options)] : []),
        authorize,
        ...(isPublic(operation) ? [createAnonymousCheck(operation, options.bodies)] : []),
      ],
      // Bodies that need neither a key nor a signature are small.
      ...(isPublic(operation) && !operation.signed ? { bodyLimit: smallBodyBytes } : {}),
      handler: createHandler(operation, options),
    })
  }
}

function createHandler(operation: Operation, options: OperationOptions) {
  const readInput = createInputReader(operation, options, options.ownFieldsAt)
  const handleInput = audited(operation)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const context = request.operationContext
    const idempotencyKey = isRepeatable(operation) ? readIdempotencyKey(request) : undefined
    const input = await readInput(request)
    let isHandled = false
    const handle = async (context: Context): Promise<Rendered> => {
      // Again: the shop may have been paused while the body arrived.
      await rejectWhilePaused(operation, context)
      const result = await handleInput(context, input as never) // its schemas accepted it
      isHandled = true
      const rendered = render(operation, result, input, () => new URL(request.url, options.publicUrl()))
      return withWarnings(rendered, input.warnings, options.brand)
    }
    const respond = (): Promise<Rendered> =>
      idempotencyKey === undefined
        ? onItsDatabase(operation, context, handle)
        : onItsDatabase(operation, context, (context) =>
            respondOnce(
              context,
              operation,
              { identity: identityOf(context, idempotencyKey), content: contentOf(input) },
              handle,
            ),
          )
    const { storedUpload } = input
    const rendered = storedUpload
      ? await discardUnless(
          () => isHandled,
          respond,
          async () => operation.uploadSink?.discard(context as ShopContext, storedUpload), // the context it was stored with
        )
      : await respond()
    return send(request, reply, hidePages(context, rendered))
  }
}

/** Discards an upload whose operation was not handled: it failed, or this is a repeated request. */
async function discardUnless(
  isHandled: () => boolean,
  respond: () => Promise<Rendered>,
  discard: () => Promise<void>,
): Promise<Rendered> {
  try {
    const rendered = await respond()
    if (!isHandled()) await discard()
    return rendered
  } catch (error) {
    await discard()
    throw error
  }
}

function identityOf(context: Context & Partial<ShopContext>, idempotencyKey: string) {
  return { shopId: context.shop?.id ?? outsideShops, keyId: context.principal.keyId, idempotencyKey }
}

/** The content by which a repeated request is recognised. */
function contentOf({ path, query, body, upload, message, storedUpload }: ReadInput): unknown {
  const sent = upload ?? message
  return [path, query, body, storedUpload?.sha256 ?? (sent && sha256(sent.bytes).toString('hex'))]
}

/**
 * A reply without the secret of any customer's page, if the caller only reads: from any operation, and in any text of
 * the shop.
 */
function hidePages(context: Context & Partial<Pick<ShopContext, 'shop'>>, rendered: Rendered): Rendered {
  const { shop } = context
  return shop && hidesPages(context) ? { ...rendered, body: hideIn(shop, rendered.body) } : rendered
}

function hideIn(shop: ShopRecord, body: Rendered['body']): Rendered['body'] {
  if (typeof body === 'string') return withoutPageTokens(shop, body)
  if (body instanceof Readable) return Readable.from(hideInChunks(shop, body), { objectMode: false })
  // One character per byte, so that pictures pass as they are.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  const shown = withoutPageTokens(shop, text)
  return shown === text ? body : Buffer.from(shown, 'latin1')
}

/** Streams are made of whole lines, so that no token is in two of their parts. */
async function* hideInChunks(shop: ShopRecord, chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield withoutPageTokens(shop, String(chunk))
}

/**
 * Handles an operation on the database that it may read: a standby if it may be seconds old, else the primary. If the
 * standby fails, the primary does it again, which is harmless because such an operation only reads.
 */
async function onItsDatabase<Result>(
  { method, reads }: Pick<Operation, 'method' | 'reads'>,
  context: Context,
  handle: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { replicas } = context.services
  if (replicas === undefined) return handle(context)
  const { keyId } = context.principal
  if (method !== 'GET') {
    const result = await handle(context)
    await replicas.noteWrite(keyId)
    return result
  }
  const reader = reads === 'replica' ? replicas.readerFor(keyId) : undefined
  if (reader === undefined) return handle(context)
  try {
    return await handle({ ...context, db: reader.db, isFromReplica: true })
  } catch (error) {
    if (!reader.hasFailed(error)) throw error
    return handle(context)
  }
}
