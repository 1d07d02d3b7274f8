import { isLanguage, primaryLanguage } from './languages.ts'
import { Named, type TSchema, Type } from './schema.ts'
import { createValidator, type Validator } from './validate.ts'

/** A part of a request that was dropped, respelled or ignored, and why. */
export interface Warning {
  loc: (string | number)[]
  msg: string
}

/** The warnings of a reply. */
export const WarningList = Type.Array(
  Named(
    'Warning',
    Type.Object({
      loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
        description: 'Where it is: in the body or the query of the request, otherwise in the reply',
        examples: [['body', 'order_nmber']],
      }),
      msg: Type.String({ examples: ['ignored: unknown field; did you mean order_number?'] }),
    }),
  ),
  { description: 'What was left out of the request, is ignored or has no effect. Absent if there is nothing' },
)

/** The warnings of one request. All are counted; only the first are listed. */
export class Warnings {
  readonly listed: Warning[] = []
  count = 0
  readonly #max: number

  constructor(max = maxListed) {
    this.#max = max
  }

  /** How many more will be listed. */
  get remaining(): number {
    return this.#max - this.listed.length
  }

  /** The message is slow to compute, so it is only computed for warnings that are listed. */
  add(loc: readonly (string | number)[], msg: () => string): void {
    this.count += 1
    if (this.remaining > 0) this.listed.push({ loc: [...loc], msg: msg() })
  }

  addAll(others: Warnings): void {
    this.count += others.count
    this.listed.push(...others.listed.slice(0, this.remaining))
  }
}

const maxListed = 100

/**
 * Repairs a value in place and returns it. It should only be called for values that validation has rejected. `loc` is one
 * list that is changed in place: a copy per part would take longer than the repair.
 */
export type Repair = (value: unknown, loc: (string | number)[], warnings: Warnings) => unknown

interface Node {
  'x-droppable'?: 'always' | 'beside others'
  'x-spelling'?: string
  properties?: Record<string, Node>
  items?: Node
  maxItems?: number
  anyOf?: Node[]
}

/**
 * Repairs values of a schema: drops invalid parts that are droppable, and replaces other spellings by ours. Undefined if
 * the schema has no such part.
 */
export function createRepair(schema: TSchema): Repair | undefined {
  return repairOf(schema as Node)
}

/** Whether a problem at this path could be repaired: it is in a part that may be dropped or respelled. */
export function isRepairable(schema: TSchema, path: readonly (string | number)[]): boolean {
  const [step, ...rest] = path
  const alternatives = (schema as Node).anyOf ?? [schema as Node]
  return alternatives.some((node) => {
    if (node['x-droppable'] !== undefined || node['x-spelling'] !== undefined) return true
    if (step === undefined) return false
    const inner = typeof step === 'number' ? node.items : node.properties && propertyOf(node.properties, step)
    return inner !== undefined && isRepairable(inner as TSchema, rest)
  })
}

function propertyOf(properties: Record<string, Node>, name: string): Node | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

function repairOf(node: Node): Repair | undefined {
  if (node.anyOf) return repairOfAlternatives(node.anyOf)
  if (node['x-spelling'] !== undefined) return respell(node['x-spelling'])
  if (node.properties) return repairOfFields(node.properties)
  return node.items ? repairOfItems(node.items, node.maxItems) : undefined
}

/** The type of the value selects the alternative: none of our schemas has two objects or two arrays. */
function repairOfAlternatives(alternatives: Node[]): Repair | undefined {
  const repairs = alternatives.map((node) => ({ node, repair: repairOf(node) }))
  if (repairs.every(({ repair }) => repair === undefined)) return undefined
  return (value, loc, warnings) => {
    const kind = kindOf(value)
    const match = repairs.find(({ node, repair }) => repair !== undefined && kindExpected(node) === kind)
    return match?.repair ? match.repair(value, loc, warnings) : value
  }
}

function kindOf(value: unknown): 'array' | 'object' | 'text' | undefined {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return 'text'
  return typeof value === 'object' && value !== null ? 'object' : undefined
}

function kindExpected(node: Node): 'array' | 'object' | 'text' {
  if (node.items) return 'array'
  return node.properties ? 'object' : 'text'
}

interface Part {
  repair: Repair | undefined
  /** Undefined: it is not droppable. */
  drop: 'always' | 'beside others' | undefined
  check: Validator
}

function partOf(node: Node): Part | undefined {
  const repair = repairOf(node)
  const drop = node['x-droppable'] ?? node.anyOf?.find((option) => option['x-droppable'])?.['x-droppable']
  if (repair === undefined && drop === undefined) return undefined
  return { repair, drop, check: createValidator(node as TSchema, 'body') }
}

function repairOfFields(properties: Record<string, Node>): Repair | undefined {
  const parts = Object.entries(properties).flatMap(([name, node]) => {
    const part = partOf(node)
    return part ? [{ name, ...part }] : []
  })
  if (parts.length === 0) return undefined
  return (value, loc, warnings) => {
    if (kindOf(value) !== 'object') return value
    const fields = value as Record<string, unknown> // an object, as was just checked
    for (const { name, repair, drop, check } of parts) {
      if (!Object.hasOwn(fields, name) || check.isValid(fields[name])) continue
      loc.push(name)
      if (repair) fields[name] = repair(fields[name], loc, warnings)
      if (drop !== undefined && !(repair && check.isValid(fields[name]))) {
        warnings.add(loc, () => reasonOf(check, fields[name]))
        delete fields[name]
      }
      loc.pop()
    }
    return fields
  }
}

function repairOfItems(items: Node, maxItems = Number.POSITIVE_INFINITY): Repair | undefined {
  const part = partOf(items)
  if (part === undefined) return undefined
  const { repair, drop, check } = part
  return (value, loc, warnings) => {
    // A list that is too long is rejected anyway, and may have millions of items.
    if (!Array.isArray(value) || value.length > maxItems) return value
    const dropped = new Warnings(warnings.remaining)
    const repaired: unknown[] = []
    const valid: unknown[] = []
    for (const [index, item] of value.entries()) {
      if (check.isValid(item)) {
        repaired.push(item)
        valid.push(item)
        continue
      }
      loc.push(index)
      const mended = repair ? repair(item, loc, warnings) : item
      repaired.push(mended)
      if (drop === undefined || (repair && check.isValid(mended))) valid.push(mended)
      else dropped.add(loc, () => reasonOf(check, mended))
      loc.pop()
    }
    // If every item would be dropped, the list stays as it is, and the request is rejected.
    if (valid.length === 0 && drop === 'beside others') return repaired
    warnings.addAll(dropped)
    return valid
  }
}

function respell(name: string): Repair {
  const spelling = spellings[name]
  if (spelling === undefined) throw new Error(`there is no spelling ${name}`)
  return (value, loc, warnings) => {
    const spelled = typeof value === 'string' ? spelling.spell(value) : undefined
    if (spelled === undefined || spelled === value) return value
    const { note } = spelling
    if (note !== undefined) warnings.add(loc, () => note)
    return spelled
  }
}

/** "left out: src must be an http or https address", by the first of its problems. */
function reasonOf(check: Validator, value: unknown): string {
  const [problem] = check.problems(value) ?? []
  const where = problem?.loc.slice(1).join('.')
  return `left out: ${where ? `${where} ` : ''}${problem?.msg ?? 'it is invalid'}`
}

/** Converts other spellings of a value to ours. */
interface Spelling {
  /** The value in our spelling; undefined if it is not recognised. */
  spell(text: string): string | undefined
  /** The warning for the caller; undefined if both spellings are equivalent. */
  note?: string
}

/** By the names that schemas refer to them with (`x-spelling`). */
const spellings: Readonly<Record<string, Spelling>> = {
  language: {
    spell(text) {
      const language = primaryLanguage(text)
      return isLanguage(language) ? language : undefined
    },
  },
  currency: {
    spell: (text) => text.trim().toUpperCase(),
  },
  /** `order_creation` is `order-creation`. */
  hyphens: {
    spell: (text) => text.trim().toLowerCase().replaceAll('_', '-'),
  },
  'web-address': {
    spell: spellAddress,
    note: 'was not spelled as an address: blanks around it were taken off, others percent-encoded',
  },
}

const addressPattern = /^https?:\/\/[^\s/?#]+(?:[/?#]|$)/i
const blank = /\s/g

/** Encodes blanks, which are part of a path, and adds https to an address without a scheme. */
function spellAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const whole = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
  if (!addressPattern.test(whole)) return undefined
  // Spaces first: they are the usual blanks, and need no function call.
  return whole.replaceAll(' ', '%20').replaceAll(blank, encodeURIComponent)
}
