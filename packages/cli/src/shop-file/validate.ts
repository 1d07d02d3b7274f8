import { suggest } from '../frame/suggest.ts'
import { entryOf, type Located, plainOf } from './located.ts'
import type { Problem } from './problems.ts'
import { alternativeFor, kindOf, matchesKind, type Schema, type ShopFileSchema, typesOf } from './schema.ts'

/** Further problems of a file are left out: they usually have the same cause. */
const maxProblems = 50

/** Everything in which a file differs from the schema. */
export function validate(schema: ShopFileSchema, located: Located): Problem[] {
  const problems: Problem[] = []
  check({ root: schema, problems }, schema.root, located)
  return problems.slice(0, maxProblems)
}

/** A check of a whole file, and the problems that it has found so far. */
interface Validation {
  root: ShopFileSchema
  problems: Problem[]
}

function check(validation: Validation, given: Schema, located: Located): void {
  const { root, problems } = validation
  const schema = root.resolve(given)
  // The contents of a map or a list are checked on their own.
  const value = located.kind === 'scalar' ? located.value : located.kind === 'list' ? [] : {}
  const report = (message: string) => problems.push({ place: located.place, message })
  if (!matchesKind(schema, kindOf(value))) report(`must be ${expectationOf(root, schema)}`)
  else if (schema.anyOf) checkAlternative(validation, schema, located, value)
  else if (schema.const !== undefined && value !== schema.const) report(`must be ${JSON.stringify(schema.const)}`)
  else if (schema.enum && !schema.enum.includes(value)) report(`must be one of ${schema.enum.join(', ')}`)
  else if (located.kind === 'list') checkList(validation, schema, located.items, report)
  else if (located.kind === 'map') checkMap(validation, schema, located)
  else if (typeof located.value === 'number') checkNumber(schema, located.value, report)
  else if (typeof located.value === 'string') checkText(schema, located.value, located.isReference === true, report)
}

type Report = (message: string) => unknown

function checkAlternative(validation: Validation, schema: Schema, located: Located, value: unknown): void {
  const given = entryOf(located, 'type')
  const type = given?.kind === 'scalar' ? given.value : undefined
  const types = typesOf(schema)
  if (types && located.kind === 'map' && !types.includes(type)) {
    const message = `${given ? '' : 'type is missing, and '}must be one of ${types.join(', ')}`
    validation.problems.push({ place: given?.place ?? located.place, message })
  } else check(validation, alternativeFor(schema, value, type), located)
}

function checkList(validation: Validation, schema: Schema, items: readonly Located[], report: Report): void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  if (items.length < minItems) report(minItems === 1 ? 'must not be empty' : `must have at least ${minItems} items`)
  if (items.length > maxItems) report(`must have at most ${maxItems} items`)
  if (schema.uniqueItems && new Set(items.map((item) => JSON.stringify(plainOf(item)))).size < items.length) {
    report('must not have the same item twice')
  }
  for (const item of items) check(validation, schema.items ?? {}, item)
}

function checkMap(validation: Validation, schema: Schema, { entries, place }: Extract<Located, { kind: 'map' }>): void {
  const { problems } = validation
  const { properties = {}, patternProperties = {}, additionalProperties = true, required = [] } = schema
  for (const name of required) {
    if (!entries.has(name)) problems.push({ place, message: `${name} is missing` })
  }
  for (const [name, entry] of entries) {
    const pattern = Object.keys(patternProperties).find((each) => new RegExp(each).test(name))
    const known = Object.hasOwn(properties, name) ? properties[name] : pattern && patternProperties[pattern]
    if (known) check(validation, known, entry.value)
    else if (additionalProperties === false) {
      problems.push({ place: entry.place, message: unknownName(name, Object.keys(properties)) })
    } else if (typeof additionalProperties === 'object') check(validation, additionalProperties, entry.value)
  }
}

function checkNumber({ minimum, maximum }: Schema, value: number, report: Report): void {
  if (minimum !== undefined && value < minimum) report(`must be at least ${minimum}`)
  if (maximum !== undefined && value > maximum) report(`must be at most ${maximum}`)
}

function checkText(schema: Schema, value: string, isReference: boolean, report: Report): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema
  if (schema['x-secret']) {
    // Its value is checked by the service: a message about it could quote it.
    if (!isReference) report(`must be a reference to the environment such as $\{NAME}: a file is no place for secrets`)
    return
  }
  const length = [...value].length
  if (length < minLength) report(minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`)
  if (length > maxLength) report(`must have at most ${maxLength} characters`)
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) report(`must match ${pattern}`)
  const expected = format === undefined ? undefined : formats[format]
  if (expected && !expected.test(value)) report(`must be ${expected.name}`)
}

const formats: Record<string, { name: string; test(text: string): boolean }> = {
  uri: {
    name: 'an address such as https://shop.example',
    test: (text) => /^https?:\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text),
  },
  email: { name: 'an e-mail address', test: (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text) },
  date: {
    name: 'a day such as 2026-12-24',
    test: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
  'date-time': { name: 'a time such as 2026-11-01T09:30:00Z', test: (text) => instantOf(text) !== undefined },
}

/** The same instant in one spelling; one without an offset is UTC. */
export function instantOf(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(
    text,
  )
  if (!match) return undefined
  const [, day, time = '00:00', offset = 'Z'] = match
  const date = new Date(`${day}T${time}${offset.toUpperCase().replace(/(\d{2})(\d{2})$/, '$1:$2')}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

const kindNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'null',
}

function expectationOf(root: ShopFileSchema, schema: Schema): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (!schema.anyOf) return kindNames[schema.type ?? ''] ?? 'something else'
  const alternatives = schema.anyOf.map((each) => expectationOf(root, root.resolve(each)))
  return [...new Set(alternatives)].join(' or ')
}

function unknownName(name: string, known: readonly string[]): string {
  const similar = suggest(name, known)
  if (similar !== undefined) return `"${name}" is not known here; did you mean "${similar}"?`
  return `"${name}" is not known here; known are ${known.join(', ')}`
}
