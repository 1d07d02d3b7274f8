// @ts-check
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Stack traces name the sources of a bundle, whose maps are in files beside it and are read when a trace needs them. Node's own
 * support reads every map as it loads a file, which costs each start a tenth of its processor time.
 * @param {string} folder The address of the bundle, without a slash at its end.
 */
export function nameSourcesInStackTraces(folder) {
  /** @type {Map<string, SourceMap | undefined>} */
  const maps = new Map()
  Error.prepareStackTrace = (error, sites) => [describe(error), ...sites.map(nameSource)].join('\n    at ')

  /** @param {NodeJS.CallSite} site */
  function nameSource(site) {
    const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()]
    if (!file?.startsWith(`${folder}/`) || line === null || column === null) return String(site)
    const entry = mapOf(file)?.findEntry(line - 1, column - 1)
    if (!entry || !('originalSource' in entry)) return String(site)
    const source = new URL(entry.originalSource, file)
    const place = `${fileURLToPath(source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    return String(site).replace(`${file}:${line}:${column}`, () => place)
  }

  /** @param {string} file */
  function mapOf(file) {
    if (!maps.has(file)) maps.set(file, readMap(file))
    return maps.get(file)
  }
}

/** @param {string} file */
function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')))
  } catch {
    // Somebody removed it: the bundle's own lines are better than no trace.
    return undefined
  }
}

/** The first line of a trace. @param {unknown} error */
function describe(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}
