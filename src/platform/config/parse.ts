import { createValidator } from '../foundation/validate.ts'
import { ConfigError } from './config-error.ts'
import { Environment, secretSettings, type Values } from './environment.ts'
import { readSecretFiles } from './secret-files.ts'

/** Reads and checks every setting by itself. */
export function parse(given: Record<string, string | undefined>): Values {
  const environment = readSecretFiles(given)
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(Environment.properties)) {
    const text = environment[name]?.trim()
    const { type, default: fallback } = schema as { type?: string; default?: unknown }
    const value = text === undefined || text === '' ? fallback : read(text, type)
    if (value !== undefined) values[name] = value
  }
  const [problem] = createValidator(Environment, 'body').problems(values) ?? []
  if (problem) {
    const name = String(problem.loc[1])
    const shown = secretSettings.includes(name) ? 'its value' : JSON.stringify(environment[name])
    throw new ConfigError(`${name} is wrong: ${shown} ${problem.msg}.`)
  }
  return values as Values // just validated against the schema
}

const unitBytes: Record<string, number> = { kb: 1_000, mb: 1_000_000, gb: 1_000_000_000 }

function read(text: string, type: string | undefined): unknown {
  if (type === 'boolean') {
    const known: Record<string, boolean> = {
      '1': true,
      true: true,
      on: true,
      yes: true,
      '0': false,
      false: false,
      off: false,
      no: false,
    }
    return known[text.toLowerCase()] ?? text
  }
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text
  if (type !== 'integer') return text
  const sized = /^(\d+)\s*(kb|mb|gb)$/i.exec(text)
  if (sized) return Number(sized[1]) * (unitBytes[sized[2]?.toLowerCase() ?? ''] ?? 1)
  return /^\d+$/.test(text) ? Number(text) : text
}
