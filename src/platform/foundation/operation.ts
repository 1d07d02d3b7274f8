import type { Audit } from './audit.ts'
import type { Context, ShopContext } from './context.ts'
import type { ErrorKey } from './errors.ts'
import type { Warnings } from './lenient.ts'
import { isPageReply, Paging } from './page.ts'
import type { Role } from './roles.ts'
import { isStreamReply, type Static, type TSchema, Type } from './schema.ts'
import type { StoredUpload, UploadSink } from './upload-sink.ts'

/** A file of a multipart request. */
export interface Upload {
  bytes: Buffer
  filename: string
}

/** A request that is signed over its exact bytes, so nothing has parsed them. */
export interface SignedMessage {
  bytes: Buffer
  /** The raw text after the `?`: some senders sign it if there is no body. */
  queryString?: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A reply with additional headers, such as the `Location` of a new record. */
export class ReplyWithHeaders<Body> {
  readonly body: Body
  readonly headers: Record<string, string>

  constructor(body: Body, headers: Record<string, string>) {
    this.body = body
    this.headers = headers
  }
}

/** A reply that was written as JSON before, because many callers get the same. */
export class WrittenJson<Body> {
  readonly bytes: Uint8Array
  /** Only for the type: what it is the JSON of. */
  declare readonly body: Body

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** The reply of a create operation: `Location` is the new record's path. */
export function created<Body>(location: string, body: Body): ReplyWithHeaders<Body> {
  return new ReplyWithHeaders(body, { location })
}

export type PathNames<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

/** With the shop, if the route names one. */
export type ContextFor<Route extends string> = 'slug' extends PathNames<Route> ? ShopContext : Context

export interface Input<Route extends string, Query extends TSchema, Body extends TSchema> {
  path: Record<PathNames<Route>, string>
  query: Static<Query>
  body: Static<Body>
  upload: Upload | undefined
  /** The omitted parts of the input. The handler adds those that only it can detect. */
  warnings?: Warnings
  /** Only if the operation is `signed`. */
  message?: SignedMessage | undefined
  /** Only if the operation has an `uploadSink`. */
  storedUpload?: StoredUpload | undefined
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Needs = Role | 'credentials' | 'nobody'

interface Declaration<
  Route extends `${Method} /v1${string}`,
  Query extends TSchema,
  Body extends TSchema,
  Reply extends TSchema,
> {
  name: string
  summary: string
  description?: string
  /** Its section of the API reference. */
  area: string
  route: Route
  /** The same operation under another path. */
  alias?: `${Method} /v1${string}`
  /**
   * The role the caller needs. `credentials`: any key or session, whatever its roles. `nobody`: none is needed (a key that
   * is sent is still checked).
   */
  needs: Needs
  /**
   * Also accepts the shop's public key, as `?key=pk_…`, for parts that the shop's own site embeds. Such a caller is
   * anonymous and its body small; pages of the shop's domains may call the operation.
   */
  takesPublicKey?: boolean
  /** Path parameters that are neither any text nor, as `uuid` or `…_id`, a UUID. */
  pathSchemas?: Partial<Record<PathNames<Route>, TSchema>>
  query?: Query
  body?: Body
  /** A request without a body is one with an empty object. */
  isBodyOptional?: boolean
  /** Accepts a multipart form instead: the fields of `body`, and one file part of this name. */
  file?: string
  /** Stores that file as it arrives, if it may be too large for memory. */
  uploadSink?: UploadSink
  /** Accepts the body as raw bytes of any type: the sender signs them. */
  signed?: boolean
  /** Example of a signed message; its schema is in the sender's documentation. */
  messageExample?: object
  /** The `Authorization` header has credentials of the sender's own kind, which the handler checks: not an API key. */
  readsAuthorization?: boolean
  /** Rejects a large message by its path and headers before it is read, for example if there is no secret to verify it. */
  expects?(
    context: ContextFor<Route>,
    message: { path: Record<string, string>; headers: SignedMessage['headers'] },
  ): Promise<void>
  reply: Reply
  /** Statuses other than 200 for success. */
  successStatus?: 200 | 204
  /** The error keys it may return beyond those of every operation. */
  errors?: readonly ErrorKey[]
  /** Calls other companies' servers, so it must not run inside a transaction. */
  callsOut?: boolean
  /** `replica`: a GET whose result may be seconds old, and which neither writes nor locks. */
  reads?: 'primary' | 'replica'
  /** Also works while its shop is paused, although it is not a GET. */
  worksWhilePaused?: boolean
  /** Its entry in the audit log: declared by every operation that is not a GET. */
  audit?: Audit<ContextFor<Route>, Input<Route, Query, Body>>
  handle(
    context: ContextFor<Route>,
    input: Input<Route, Query, Body>,
  ): Promise<Static<Reply> | ReplyWithHeaders<Static<Reply> | WrittenJson<Static<Reply>>>>
}

type AnyDeclaration = Declaration<`${Method} /v1${string}`, TSchema, TSchema, TSchema>

/** Values that apply unless a declaration sets others. */
const defaults = {
  takesPublicKey: false,
  pathSchemas: {},
  isBodyOptional: false,
  signed: false,
  readsAuthorization: false,
  successStatus: 200,
  errors: [],
  callsOut: false,
  reads: 'primary',
} satisfies Partial<AnyDeclaration>

/** Fields that are derived from a declaration. */
interface Derived {
  method: Method
  path: string
  aliasPath: string | undefined
  isPaged: boolean
  isShopScoped: boolean
  worksWhilePaused: boolean
}

/**
 * Fields that depend on the types of an operation's own input: mounting passes the context that the route needs, and
 * input that the schemas accepted.
 */
interface Untyped {
  pathSchemas: Partial<Record<string, TSchema>>
  expects?(
    context: ShopContext,
    message: { path: Record<string, string>; headers: SignedMessage['headers'] },
  ): Promise<void>
  audit?: Audit<Context, Input<string, TSchema, TSchema>>
  handle(context: Context, input: Input<string, TSchema, TSchema>): Promise<unknown>
}

/** An operation in the list of all: its declaration, without the types of its own input, and what is derived from it. */
export type Operation = Omit<AnyDeclaration, keyof typeof defaults | keyof Derived | keyof Untyped> &
  Required<Pick<AnyDeclaration, Exclude<keyof typeof defaults, keyof Untyped>>> &
  Derived &
  Untyped

type NoQuery = ReturnType<typeof Type.Object<Record<never, never>>>

/** Declares one operation of the API: everything else about it is derived from this. */
export function operation<
  const Route extends `${Method} /v1${string}`,
  Reply extends TSchema,
  Query extends TSchema = NoQuery,
  Body extends TSchema = ReturnType<typeof Type.Undefined>,
>(declaration: Declaration<Route, Query, Body, Reply>): Operation {
  const [method = '', path = ''] = declaration.route.split(' ')
  const derived: Derived = {
    method: method as Method, // the route's type begins with a Method
    path,
    aliasPath: declaration.alias?.split(' ')[1],
    isPaged: isPageReply(declaration.reply),
    isShopScoped: path.includes('{slug}'),
    worksWhilePaused: declaration.worksWhilePaused ?? method === 'GET',
  }
  // Its functions are called with the arguments that `Untyped` states.
  return { ...defaults, ...(declaration as unknown as AnyDeclaration & Untyped), ...derived }
}

/** Callers need no key. */
export function isPublic({ needs, takesPublicKey }: Operation): boolean {
  return needs === 'nobody' || takesPublicKey
}

/**
 * Whether an Idempotency-Key counts. Nothing is stored for anonymous callers, and none of them gets a response that was
 * stored for another. Signing in and the caller's own account are left out as well: a stored sign-in would be a stored
 * secret, and the transaction around a repeatable request would undo the count of a wrong password. A stream is too long to be stored.
 */
export function isRepeatable({ method, needs, takesPublicKey, reply }: Operation): boolean {
  const isByKnownCaller = needs !== 'nobody' && needs !== 'credentials' && !takesPublicKey
  return method === 'POST' && isByKnownCaller && !isStreamReply(reply)
}

/** A query of the given fields, with page and per_page among them. */
export function PagedQuery<Fields extends Record<string, TSchema>>(fields: Fields) {
  return Type.Object({ ...Paging.properties, ...fields })
}
