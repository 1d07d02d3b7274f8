import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { folderOf } from '../built.js'
import { entryPoints } from '../sources.js'
import { bundle, contentsOf } from './bundle.ts'
import { writeOutput } from './output.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Packages of many small files: as part of the bundle they load in a tenth of the time. */
export const inlined = /^(typebox|kysely|openapi-fetch)(\/|$)/

interface ServiceOptions {
  checkout: string
  /** Of the bundle, from the checkout. */
  folder: string
  /** Paths from the checkout. */
  entryPoints: Record<string, string>
  hasSourceMaps: boolean
  minify: boolean
}

/** Makes JavaScript of the service, its commands and the command line, for a Node that does not run TypeScript. */
export async function buildService(folder = folderOf('service')): Promise<void> {
  const files = await bundleService({
    checkout: root,
    folder: relative(root, folder),
    entryPoints,
    hasSourceMaps: true,
    minify: false,
  })
  writeOutput(folder, { files, parts: {} })
}

/** Bundles the service. Modules that are loaded later or shared by entry points get files beside theirs. */
export async function bundleService(options: ServiceOptions): Promise<Map<string, Uint8Array>> {
  const { checkout, folder, hasSourceMaps, minify } = options
  const files = await bundle({
    root: checkout,
    plugins: [keepPlaces(join(checkout, folder))],
    ssr: { noExternal: inlined },
    build: {
      ssr: true,
      target: 'node20',
      minify,
      // Stack traces read them; no browser does.
      sourcemap: hasSourceMaps ? 'hidden' : false,
      rolldownOptions: {
        input: options.entryPoints,
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          sourcemapExcludeSources: true,
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  })
  return contentsOf(files)
}

/**
 * Files that a module reads beside itself are found where the module was. The service's own JavaScript stays there, too: it is
 * loaded before the bundle, or by threads of its own, and must not exist a second time.
 */
function keepPlaces(output: string): Plugin {
  const fromOutput = (path: string) => relative(output, path).replaceAll('\\', '/')
  return {
    name: 'keep places',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^\..*\.js$/ },
      handler(source, importer) {
        if (importer === undefined || importer.includes('/node_modules/')) return null
        return { id: fromOutput(join(dirname(importer), source)), external: true }
      },
    },
    transform: {
      filter: { id: { exclude: /\/node_modules\// }, code: 'import.meta.url' },
      handler(code, id) {
        const place = `new URL(${JSON.stringify(fromOutput(id))}, import.meta.url).href`
        return { code: code.replaceAll('import.meta.url', place), map: null }
      },
    },
  }
}
