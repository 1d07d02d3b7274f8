import type { Located } from './located.ts'
import { type Problem, ShopFileError } from './problems.ts'

const reference = /\$(\$?)\{([^}]*)\}/g
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A value that has to come from the environment. */
export const referencePattern = '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$'

/** Shorter values occur in other words by chance, and are hidden only where they stand alone. */
const minHiddenLength = 6

/** The values that files take from the environment. They are sent, and never printed. */
export class Secrets {
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #names = new Map<string, string>()

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment
  }

  /** The value with every `${NAME}` replaced by what the environment has for it; `$${` is a plain `${`. */
  fill(located: Located): Located {
    const problems: Problem[] = []
    const filled = this.#fill(located, problems)
    if (problems.length > 0) throw new ShopFileError(problems)
    return filled
  }

  /** The text with the names of secrets instead of their values. */
  redact(text: string): string {
    let shown = text
    for (const [value, name] of [...this.#names].sort(([one], [other]) => other.length - one.length)) {
      if (shown === value) return `\${${name}}`
      if (value.length < minHiddenLength) continue
      shown = shown.replaceAll(value, `\${${name}}`)
      const quoted = JSON.stringify(value).slice(1, -1)
      if (quoted !== value) shown = shown.replaceAll(quoted, `\${${name}}`)
    }
    return shown
  }

  /** The same for every text of a value. */
  redactAll(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (Array.isArray(value)) return value.map((each) => this.redactAll(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.redactAll(each)]))
  }

  #fill(located: Located, problems: Problem[]): Located {
    if (located.kind === 'list') {
      return { ...located, items: located.items.map((item) => this.#fill(item, problems)) }
    }
    if (located.kind === 'map') {
      const entries = [...located.entries].map(
        ([name, entry]) => [name, { ...entry, value: this.#fill(entry.value, problems) }] as const,
      )
      return { ...located, entries: new Map(entries) }
    }
    if (typeof located.value !== 'string') return located
    const value = located.value.replaceAll(reference, (whole: string, escaping: string, name: string) => {
      if (escaping !== '') return whole.slice(1)
      return this.#valueOf(name, (message) => problems.push({ place: located.place, message }))
    })
    return value === located.value ? located : { ...located, value, isReference: true }
  }

  #valueOf(name: string, report: (message: string) => void): string {
    const value = this.#environment[name]
    if (!variableName.test(name)) {
      report(`\${${name}} is not the name of an environment variable; write $\${ for a plain \${`)
    } else if (value === undefined || value === '') {
      report(`the environment variable ${name} is not set`)
    } else {
      this.#names.set(value, name)
    }
    return value ?? ''
  }
}
