import { readFileSync } from 'node:fs'

/** The names of holidays in German, by the English ones of `holidays.csv`. */
const german = readNames(new URL('./names.de.csv', import.meta.url))

const substitute = ' (substitute day)'

/** The name of a day that replaces a holiday. */
export function substituteName(name: string): string {
  return `${name}${substitute}`
}

/** A name as `holidays.csv` has it, in German. */
export function germanName(name: string): string {
  if (name.endsWith(substitute)) return `${germanName(name.slice(0, -substitute.length))} (Ersatztag)`
  return german.get(name) ?? name
}

function readNames(file: URL): Map<string, string> {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  return new Map(
    lines.map((line) => {
      const [name = '', translated = ''] = line.split(';')
      return [name, translated]
    }),
  )
}
