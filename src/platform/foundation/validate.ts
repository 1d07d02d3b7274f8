import { Settings } from 'typebox/system'
import type { Problem } from './errors.ts'
import type { TSchema } from './schema.ts'
import { compileCheck, findSchemaErrors, maxErrors, type SchemaError } from './schema-errors.ts'

Settings.Set({ maxErrors: maxErrors })

export type Part = 'body' | 'query' | 'path'

export interface Validator {
  /** Undefined if the value is valid. */
  problems(value: unknown): Problem[] | undefined
  /** Faster: does not find out why a value is invalid. */
  isValid(value: unknown): boolean
}

/** Compiles at first use: compiling every schema of the API would add a tenth of a second to every start. */
export function createValidator(schema: TSchema, part: Part): Validator {
  let compiled: ReturnType<typeof compileCheck> | undefined
  return {
    problems(value) {
      // A list is checked item by item: that is as fast, and an invalid one is not read twice.
      const isList = Array.isArray(value) && (schema as { items?: TSchema }).items !== undefined
      if (!isList) compiled ??= compileCheck(schema)
      if (compiled?.Check(value)) return undefined
      const errors = findSchemaErrors(schema, value)
      return errors.length > 0 ? problemsOf(part, value, errors) : undefined
    },
    isValid(value) {
      compiled ??= compileCheck(schema)
      return compiled.Check(value)
    },
  }
}

function problemsOf(part: Part, value: unknown, errors: SchemaError[]): Problem[] {
  // Errors within an anyOf are reported for the alternative that fits the type of the value best.
  const alternatives = errors.filter((error) => error.keyword === 'anyOf')
  const problems = new Map<string, Problem>()
  for (const error of errors) {
    const around = alternatives.find(
      (other) =>
        error.schemaPath.startsWith(`${other.schemaPath}/anyOf/`) &&
        (error.instancePath === other.instancePath || error.instancePath.startsWith(`${other.instancePath}/`)),
    )
    if (error.keyword === 'anyOf' || (around && isIrrelevant(error, around, errors, value))) continue
    add(problems, part, value, error)
  }
  for (const error of alternatives) {
    const path = pathOf(error.instancePath)
    const isReported = [...problems.values()].some((problem) => startsWith(problem.loc, [part, ...path]))
    if (!isReported) add(problems, part, value, { ...error, message: expectation(error, errors) })
  }
  return [...problems.values()]
}

/** An error about null, or about the type if an alternative of the right type has a more specific error. */
function isIrrelevant(error: SchemaError, around: SchemaError, errors: SchemaError[], value: unknown): boolean {
  if (error.instancePath !== around.instancePath) return false
  const beside = errors.filter(
    (other) =>
      other !== error &&
      other.schemaPath.startsWith(`${around.schemaPath}/anyOf/`) &&
      other.instancePath.startsWith(around.instancePath),
  )
  const isOfSameAlternative = (other: SchemaError) => alternative(other, around) === alternative(error, around)
  // After a type error nothing else is reported: "must be one of" does not help with an object.
  if (error.keyword !== 'type') {
    return beside.some(
      (other) => other.keyword === 'type' && other.instancePath === error.instancePath && isOfSameAlternative(other),
    )
  }
  const wanted = (error.params as { type?: string }).type
  if (wanted === 'null') return true
  const siblings = beside.filter((other) => !isOfSameAlternative(other))
  if (siblings.some((other) => other.keyword !== 'type' || other.instancePath !== around.instancePath)) return true
  const types = siblings.filter((other) => (other.params as { type?: string }).type !== 'null')
  return types.length > 0 && at(value, pathOf(error.instancePath)) !== undefined
}

/** The alternative of `around` that an error belongs to. */
function alternative(error: SchemaError, around: SchemaError): string | undefined {
  return error.schemaPath.slice(`${around.schemaPath}/anyOf/`.length).split('/')[0]
}

/** "must be string or number", from the types that the alternatives offer. */
function expectation(error: SchemaError, errors: SchemaError[]): string {
  const types = errors
    .filter((other) => other.keyword === 'type' && other.schemaPath.startsWith(`${error.schemaPath}/anyOf/`))
    .map((other) => (other.params as { type?: string }).type)
    .filter((type) => type !== undefined && type !== 'null')
  return types.length > 0 ? `must be ${[...new Set(types)].join(' or ')}` : error.message
}

function add(problems: Map<string, Problem>, part: Part, value: unknown, error: SchemaError): void {
  const path = pathOf(error.instancePath)
  if (error.keyword === 'required') {
    for (const name of (error.params as { requiredProperties?: string[] }).requiredProperties ?? []) {
      const loc = [part, ...locate(value, path), name]
      problems.set(JSON.stringify(loc), { loc, msg: 'field required', type: 'missing' })
    }
    return
  }
  const loc = [part, ...locate(value, path)]
  const key = JSON.stringify(loc)
  if (problems.has(key)) return
  const isType = error.keyword === 'type' || error.keyword === 'anyOf'
  problems.set(key, { loc, msg: explain(error), type: isType ? 'type_error' : 'value_error' })
}

function explain(error: SchemaError): string {
  const params = error.params as { allowedValues?: unknown[]; format?: string; limit?: number; pattern?: string }
  if (error.keyword === 'enum') return `must be one of ${(params.allowedValues ?? []).slice(0, 40).join(', ')}`
  if (error.keyword === 'format') return formatSentences[params.format ?? ''] ?? error.message
  if (error.keyword === 'minLength' && params.limit === 1) return 'must not be empty'
  const bound = boundSentences[error.keyword]
  return bound === undefined || params.limit === undefined ? error.message : `must be ${bound} ${params.limit}`
}

const boundSentences: Record<string, string> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
}

const formatSentences: Record<string, string> = {
  uuid: 'must be a UUID',
  'date-time': 'must be an ISO 8601 date-time such as 2026-11-01T09:30:00Z',
  uri: 'must be an http or https address',
  email: 'must be an e-mail address',
}

function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The path with array indexes as numbers: `['products', 0, 'price']`. */
function locate(value: unknown, path: string[]): (string | number)[] {
  let current = value
  return path.map((segment) => {
    const isIndex = Array.isArray(current)
    current = (current as Record<string, unknown> | undefined)?.[segment]
    return isIndex ? Number(segment) : segment
  })
}

function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((current, segment) => (current as Record<string, unknown> | undefined)?.[segment], value)
}

function startsWith(loc: (string | number)[], prefix: (string | number)[]): boolean {
  return prefix.every((segment, index) => String(loc[index]) === String(segment))
}
