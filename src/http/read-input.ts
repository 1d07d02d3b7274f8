import type { FastifyRequest } from 'fastify'
import type { ShopContext } from '../foundation/context.ts'
import { ApiError, invalid, type Problem } from '../foundation/errors.ts'
import { createRepair, isRepairable, type Repair, Warnings } from '../foundation/lenient.ts'
import type { Operation, SignedMessage, Upload } from '../foundation/operation.ts'
import { type TSchema, Type, Uuid } from '../foundation/schema.ts'
import type { StoredUpload } from '../foundation/upload-sink.ts'
import { createValidator, type Part, type Validator } from '../foundation/validate.ts'
import { readUpload } from './read-upload.ts'
import { findUnstorable } from './storable.ts'

/** What a request brings, validated and typed as its operation's schemas say. */
export interface ReadInput {
  path: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  upload: Upload | undefined
  message: SignedMessage | undefined
  storedUpload: StoredUpload | undefined
  /** What was left out of it. */
  warnings: Warnings
}

/** Not a promise where everything has arrived, as JSON has. */
export type InputReader = (request: FastifyRequest) => ReadInput | Promise<ReadInput>

/** `uuid` and `…_id` are UUIDs and other parameters any text, unless the operation declares them. */
export function pathSchema(operation: Operation): ReturnType<typeof Type.Object> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return Type.Object(
    Object.fromEntries(
      names.map((name) => {
        const usual = /^uuid$|_id$/.test(name) ? Uuid : Type.String({ maxLength: 255 })
        return [name, operation.pathSchemas[name] ?? usual]
      }),
    ),
  )
}

export function createInputReader(operation: Operation, limits: { importLimitBytes: number }): InputReader {
  // The slug was found or refused before this, and most paths have nothing else.
  const path = /\{(?!slug\})/.test(operation.path) ? partOf(pathSchema(operation), 'path') : undefined
  const query = operation.query && {
    coerce: createCoercion(operation.query),
    ...partOf(operation.query, 'query'),
  }
  const body = operation.body && {
    // What a form brings is text, as in a query.
    coerce: operation.file === undefined ? undefined : createCoercion(operation.body),
    ...partOf(operation.body, 'body'),
    defaults: defaultsOf(operation.body),
  }
  const readEarly = (request: FastifyRequest) => {
    const found: Findings = { problems: [], warnings: new Warnings() }
    const { slug: _foundOrRefusedBefore, ...given } = request.params as Record<string, string>
    const pathValues = path ? collect(found, path, { slug: '', ...given }) : given
    const queryValues = query ? collect(found, query, query.coerce(request.query as Record<string, unknown>)) : {}
    return { ...found, pathValues, queryValues }
  }
  const readRest = (
    request: FastifyRequest,
    { problems, warnings, pathValues, queryValues }: ReturnType<typeof readEarly>,
    { value: sent, upload, storedUpload }: SentBody,
  ): ReadInput => {
    let value = body?.coerce ? body.coerce(sent as Record<string, unknown>) : sent // a form's fields
    if (body) {
      if (value === undefined) problems.push({ loc: ['body'], msg: 'a JSON body is required', type: 'missing' })
      else value = collect({ problems, warnings }, body, value, request.hasStorableTexts)
    }
    if (operation.file !== undefined && upload === undefined && storedUpload === undefined) {
      problems.push({ loc: ['body', operation.file], msg: 'field required', type: 'missing' })
    }
    if (problems.length > 0) throw errorOf(problems)
    return {
      path: pathValues,
      query: queryValues,
      body: body ? withDefaults(value, body.defaults) : undefined,
      upload,
      message: operation.isSigned ? readMessage(request) : undefined,
      storedUpload,
      warnings,
    }
  }
  const { file } = operation
  if (file === undefined) {
    return (request) => {
      if (operation.body && request.isMultipart()) throw wrongContentType('application/json')
      const value = request.body === undefined && operation.isBodyOptional ? {} : request.body
      return readRest(request, readEarly(request), { value })
    }
  }
  return async (request) => {
    const early = readEarly(request)
    // A large file is not waited for where the rest of the request is wrong already.
    if (operation.uploadSink && early.problems.length > 0) throw errorOf(early.problems)
    const sent = await readFile(request, file, operation, limits.importLimitBytes)
    try {
      return readRest(request, early, sent)
    } catch (error) {
      const context = request.operationContext as ShopContext // the one it was stored with
      if (sent.storedUpload) await operation.uploadSink?.discard(context, sent.storedUpload)
      throw error
    }
  }
}

/** Signed operations are mounted with a parser that hands the bytes on. */
function readMessage({ body, headers, url }: FastifyRequest): SignedMessage {
  const start = url.indexOf('?')
  return {
    bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    headers,
    queryString: start < 0 ? '' : url.slice(start + 1),
  }
}

interface CheckedPart {
  name: Part
  schema: TSchema
  check: Validator
  repair: Repair | undefined
}

function partOf(schema: TSchema, name: Part): CheckedPart {
  return { name, schema, check: createValidator(schema, name), repair: createRepair(schema) }
}

interface Findings {
  problems: Problem[]
  warnings: Warnings
}

/** Notes what is wrong with a value and answers it as it is used: repaired where it was refused and could be. */
function collect<Value>(
  { problems, warnings }: Findings,
  part: CheckedPart,
  value: Value,
  hasStorableTexts = false,
): Value {
  const found = part.check.problems(value)
  const used = found ? repaired(part, value, found, { problems, warnings }) : value
  // What is refused already is not read through once more: it may be 10 MB.
  if (problems.length > 0) return used
  const unstorable = findUnstorable(used, part.name, hasStorableTexts)
  if (unstorable) problems.push(unstorable)
  return used
}

/** With more problems than this, and one of them fatal, nobody reads which of the others could have been repaired. */
const mostRepaired = 50

function repaired<Value>(part: CheckedPart, value: Value, found: Problem[], { problems, warnings }: Findings): Value {
  if (found.length > mostRepaired) {
    const fatal = found.filter(({ loc }) => !isRepairable(part.schema, loc.slice(1)))
    problems.push(...fatal)
    if (fatal.length > 0) return value
  }
  const made = new Warnings()
  const next = part.repair ? part.repair(value, [part.name], made) : value
  // A request of which nothing is left is not carried out for that.
  if (part.repair && Object.keys(next ?? {}).length > 0 && part.check.isValid(next)) {
    warnings.addAll(made)
    return next as Value // its schema has just accepted it
  }
  // Items may have moved up by now: what was found before stands, but for what can be left out.
  const isLeftOut = ({ loc }: Problem) =>
    made.listed.some((warning) => warning.loc.every((step, index) => step === loc[index]))
  const left = found.filter((problem) => !isLeftOut(problem))
  problems.push(...(left.length > 0 ? left : found))
  return value
}

function errorOf(problems: Problem[]): ApiError {
  return new ApiError('invalid_payload', sentence(problems), { problems })
}

function sentence(problems: Problem[]): string {
  const [first] = problems
  const where = first === undefined ? '' : first.loc.slice(first.loc.length > 1 ? 1 : 0).join('.')
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return `${where}: ${first?.msg}${more}`
}

/** Query values are text; they become what the schema wants where the text says so, and stay text otherwise. */
function createCoercion(schema: TSchema): (query: Record<string, unknown>) => Record<string, unknown> {
  const fields = Object.entries((schema as { properties?: Record<string, TSchema> }).properties ?? {})
  return (query) => {
    const values: Record<string, unknown> = {}
    for (const [name, field] of fields) {
      const given = query[name]
      const text = Array.isArray(given) ? given.at(-1) : given
      const { type, default: fallback } = field as { type?: string; default?: unknown }
      if (text === undefined || (text === '' && type !== 'string')) {
        if (fallback !== undefined) values[name] = fallback
      } else values[name] = coerce(String(text), type)
    }
    return values
  }
}

function coerce(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^[+-]?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean') {
    const lower = text.toLowerCase()
    if (lower === 'true' || lower === '1') return true
    if (lower === 'false' || lower === '0') return false
  }
  return text
}

function defaultsOf(schema: TSchema): [string, unknown][] {
  const properties = (schema as { properties?: Record<string, { default?: unknown }> }).properties ?? {}
  return Object.entries(properties)
    .filter(([, field]) => field.default !== undefined)
    .map(([name, field]) => [name, field.default])
}

function withDefaults(value: unknown, defaults: [string, unknown][]): unknown {
  if (defaults.length === 0) return value
  const filled = { ...(value as Record<string, unknown>) } // an object: its schema has properties
  for (const [name, fallback] of defaults) if (filled[name] === undefined) filled[name] = structuredClone(fallback)
  return filled
}

interface SentBody {
  value: unknown
  upload?: Upload | undefined
  storedUpload?: StoredUpload | undefined
}

async function readFile(
  request: FastifyRequest,
  file: string,
  operation: Operation,
  importLimitBytes: number,
): Promise<SentBody> {
  if (!request.isMultipart()) throw wrongContentType('multipart/form-data')
  if (operation.uploadSink) return readUpload(request, file, operation.uploadSink, importLimitBytes)
  try {
    return await readForm(request, file)
  } catch (error) {
    // Limits are reported as such; whatever else the parser says is about a form that breaks off or is none.
    if (/LIMIT|TOO_LARGE/.test((error as { code?: string }).code ?? '')) throw error
    throw invalid(['body'], 'is not a complete multipart form')
  }
}

async function readForm(
  request: FastifyRequest,
  file: string,
): Promise<{ value: Record<string, unknown>; upload: Upload | undefined }> {
  const value: Record<string, unknown> = {}
  let upload: Upload | undefined
  for await (const part of request.parts()) {
    if (part.type === 'field') value[part.fieldname] = part.value
    else {
      const bytes = await part.toBuffer()
      if (part.fieldname === file) upload = { bytes, filename: part.filename }
    }
  }
  return { value, upload }
}

function wrongContentType(wanted: string): ApiError {
  return new ApiError('invalid_payload', `Send the body as ${wanted}.`, { status: 415 })
}
