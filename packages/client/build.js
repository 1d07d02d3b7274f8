// @ts-check
// Writes dist: the package as it is published. It has no dependencies: openapi-fetch is part of it, with its licence.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const here = dirname(fileURLToPath(import.meta.url))

/** The packages that become part of ours: their scripts and types. */
const included = new Map([
  ['openapi-fetch', { script: 'dist/index.mjs', types: 'dist/index.d.mts' }],
  ['openapi-typescript-helpers', { script: undefined, types: 'dist/index.d.mts' }],
])

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPackage(join(here, 'dist'))

/** Builds into an empty folder. @param {string} folder */
export function buildPackage(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const source = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  compile(folder)
  for (const [name, files] of included) include(name, files, folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(source), null, 2)}\n`)
  copyFileSync(join(here, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(here, '../../LICENSE'), join(folder, 'LICENSE'))
}

/** Scripts for any runtime of the last years, and types beside them; `npm run types` has checked them. @param {string} folder */
function compile(folder) {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  }
  const typeOptions = { ...compilerOptions, declaration: true, isolatedDeclarations: true }
  for (const fileName of readdirSync(join(here, 'src'))) {
    const text = readFileSync(join(here, 'src', fileName), 'utf8')
    const options = { fileName, reportDiagnostics: true }
    const script = ts.transpileModule(text, { ...options, compilerOptions })
    const types = ts.transpileDeclaration(text, { ...options, compilerOptions: typeOptions })
    const [problem] = [...(script.diagnostics ?? []), ...(types.diagnostics ?? [])]
    if (problem) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`)
    const name = join(folder, fileName.replace(/\.ts$/, ''))
    writeFileSync(`${name}.js`, pointInside(script.outputText))
    writeFileSync(`${name}.d.ts`, pointInside(types.outputText))
  }
}

/** Imports name files of the package, as they are called in it. @param {string} text */
function pointInside(text) {
  return text.replaceAll(/\b(from|import\()(\s*)(["'])([^"']+)\3/g, (whole, ...[word, space, quote, name]) => {
    if (included.has(name)) return `${word}${space}${quote}./${name}.js${quote}`
    return name.startsWith('./') ? `${word}${space}${quote}${name.replace(/\.ts$/, '.js')}${quote}` : whole
  })
}

/** @param {string} name @param {{ script: string | undefined, types: string }} files @param {string} folder */
function include(name, { script, types }, folder) {
  const root = packageRoot(name)
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  const notice = `/*! ${name}\n${licence}\n*/\n`.replaceAll(/[ \t]+$/gm, '')
  const write = (/** @type {string} */ from, /** @type {string} */ to) => {
    const text = readFileSync(join(root, from), 'utf8').replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '')
    writeFileSync(join(folder, to), notice + pointInside(text))
  }
  if (script) write(script, `${name}.js`)
  write(types, `${name}.d.ts`)
}

/** @param {string} name */
function packageRoot(name) {
  const require = createRequire(import.meta.url)
  const found = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name)).find(existsSync)
  if (found === undefined) throw new Error(`${name} is not installed: run npm ci`)
  return found
}

/** @param {Record<string, any>} source */
function publishedManifest({ name, version, description, license, exports }) {
  const entries = Object.entries(/** @type {Record<string, string>} */ (exports)).map(([entry, path]) => {
    const file = `./${path.replace('./src/', '').replace(/\.ts$/, '')}`
    return [entry, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  return {
    name,
    version,
    description,
    keywords: ['doorstep', 'shipment tracking', 'webhooks', 'api client'],
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: Object.fromEntries(entries),
  }
}
