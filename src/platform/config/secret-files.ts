import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'
import { secretSettings } from './environment.ts'

type Given = Record<string, string | undefined>

/** The names of the secret settings that are read from files. */
export function settingsInFiles(environment: Given): string[] {
  return secretSettings.filter((name) => fileOf(environment, name) !== undefined)
}

/** The environment with the contents of the files that `NAME_FILE` names, as orchestrators mount secrets. */
export function readSecretFiles(environment: Given): Given {
  const contents = settingsInFiles(environment).map((name) => [name, readSecret(environment, name)])
  return contents.length === 0 ? environment : { ...environment, ...Object.fromEntries(contents) }
}

function readSecret(environment: Given, name: string): string {
  const file = fileOf(environment, name) ?? ''
  if (environment[name]?.trim()) throw new ConfigError(`${name} and ${name}_FILE are both set: remove one of them.`)
  const text = contentsOf(name, file).trim()
  // Not as if it were unset: a service without its key would create another one.
  if (text === '') throw new ConfigError(`${name}_FILE is wrong: ${file} is empty.`)
  return text
}

function contentsOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException // reading a file throws nothing else
    throw new ConfigError(`${name}_FILE is wrong: ${file} ${reasons[code] ?? `cannot be read (${message})`}.`)
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
}

function fileOf(environment: Given, name: string): string | undefined {
  return environment[`${name}_FILE`]?.trim() || undefined
}
