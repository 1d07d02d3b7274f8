/** The types of a schema: of each field its arguments and its type; no type: a scalar. */
export type Schema = Record<string, Record<string, { args?: Record<string, string>; type?: string }>>

interface Selection {
  field: string
  args: Record<string, unknown>
  selections: Selection[] | undefined
}

export interface Document {
  kind: 'query' | 'mutation'
  selections: Selection[]
}

/**
 * Reads a document of one operation and checks it against the schema, as a GraphQL server does before it runs anything:
 * fields, arguments, and that each variable is declared with the type of its argument. Throws if anything is wrong.
 */
export function readDocument(text: string, schema: Schema, variables: Record<string, unknown>): Document {
  const tokens = text.match(/\$?\w+|[!:(){}[\]]|[^\s,]/g) ?? []
  let at = 0
  const peek = () => tokens[at] ?? ''
  const take = (expected?: string) => {
    const token = tokens[at] ?? ''
    if (token === '' || (expected !== undefined && token !== expected))
      throw new Error(`expected ${expected}, not "${token}"`)
    at += 1
    return token
  }
  const declared = new Map<string, string>()

  function readDeclarations(): void {
    take('(')
    while (peek() !== ')') {
      const name = take()
      take(':')
      let type = ''
      while (peek() !== ')' && !peek().startsWith('$')) type += take()
      if (type.endsWith('!') && variables[name.slice(1)] == null)
        throw new Error(`${name} of type ${type} was provided no value`)
      declared.set(name, type)
    }
    take(')')
  }

  function readArguments(type: string, field: string, known: Record<string, string>): Record<string, unknown> {
    const args: Record<string, unknown> = {}
    if (peek() !== '(') return args
    take('(')
    while (peek() !== ')') {
      const name = take()
      if (known[name] === undefined) throw new Error(`Field '${type}.${field}' doesn't accept argument '${name}'`)
      take(':')
      const value = take()
      if (!value.startsWith('$')) args[name] = /^\d+$/.test(value) ? Number(value) : value
      else if (declared.get(value) !== known[name]) throw new Error(`Type mismatch on variable ${value}`)
      else args[name] = variables[value.slice(1)]
    }
    take(')')
    return args
  }

  function readSelections(type: string): Selection[] {
    const selections: Selection[] = []
    take('{')
    while (peek() !== '}') {
      const field = take()
      const known = schema[type]?.[field]
      if (known === undefined) throw new Error(`Field '${field}' doesn't exist on type '${type}'`)
      const args = readArguments(type, field, known.args ?? {})
      const missing = Object.entries(known.args ?? {}).find(([name, kind]) => kind.endsWith('!') && !(name in args))
      if (missing) throw new Error(`Field '${field}' is missing required argument '${missing[0]}'`)
      if ((peek() === '{') !== (known.type !== undefined))
        throw new Error(`Selections on '${field}' do not fit its type`)
      selections.push({ field, args, selections: known.type === undefined ? undefined : readSelections(known.type) })
    }
    take('}')
    return selections
  }

  const kind = take()
  if (kind !== 'query' && kind !== 'mutation') throw new Error(`no operation: ${kind}`)
  if (peek() !== '{' && peek() !== '(') take()
  if (peek() === '(') readDeclarations()
  const selections = readSelections(kind === 'query' ? 'QueryRoot' : 'Mutation')
  if (at !== tokens.length) throw new Error('more than one operation')
  return { kind, selections }
}

/** Only the fields that the document selects, as a GraphQL server returns them. */
export function select(value: unknown, selections: Selection[] | undefined): unknown {
  if (selections === undefined || value === null || value === undefined) return value ?? null
  if (Array.isArray(value)) return value.map((item) => select(item, selections))
  const record = value as Record<string, unknown> // a field with selections is an object
  return Object.fromEntries(selections.map((inner) => [inner.field, select(record[inner.field], inner.selections)]))
}
