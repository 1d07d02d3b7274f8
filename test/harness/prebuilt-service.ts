import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin, RolldownBuild } from 'rolldown'
import type { Plugin as VitePlugin } from 'vitest/config'
import { keptBetweenRuns, stampsOf } from './kept-between-runs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const service = join(root, 'src/service.ts')
const packages = join(root, 'packages')

/**
 * Lets tests import the service as JavaScript, which is built once for all test processes and kept until a source changes:
 * Node loads it in a third of the processor time that 1,200 separate modules take. Each module exists once, also for a test
 * that imports it directly. In watch mode and for coverage, Vite handles the sources.
 */
export function prebuiltService(): VitePlugin {
  let folder: string | undefined
  const builtFrom = (id: string) => {
    if (folder === undefined || !id.startsWith(root)) return undefined
    const path = join(folder, builtName(id))
    return path.endsWith('.mjs') && existsSync(path) ? path : undefined
  }
  return {
    name: 'prebuilt service',
    enforce: 'pre',
    async configureVitest({ vitest, experimental_defineCacheKeyGenerator: keepBy }) {
      if (vitest.config.watch || vitest.config.coverage.enabled) return
      folder = await keptBetweenRuns('service', stateOfSources(), build)
      // Vitest would keep the path of this build for as long as the source is the same.
      keepBy(({ id }) => (builtFrom(id) === undefined ? undefined : false))
    },
    load(id) {
      const path = builtFrom(id)
      return path && `export * from ${JSON.stringify(path)}`
    },
  }
}

/** Of all that `build` reads. */
function stateOfSources(): string {
  const folders = readdirSync(packages).map((name) => join(packages, name, 'src'))
  const others = [import.meta.filename, join(root, 'package-lock.json')].map((path) => readFileSync(path, 'utf8'))
  return [stampsOf([join(root, 'src'), join(root, 'web/dashboard'), ...folders.filter(existsSync)]), ...others].join(
    '\n',
  )
}

/** The name of a module in the build. */
function builtName(id: string): string {
  return relative(root, id).replace(/\.[jt]s$/, '.mjs')
}

/** All that the service loads when it starts is in one file. Each of its modules has another one, which exports what is its own. */
async function build(folder: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: { [builtName(service)]: service },
    platform: 'node',
    transform: { target: 'node20' },
    treeshake: false,
    external: (id) => /^[^./]/.test(id) && !/^(doorstep-|@oxc-project\/)/.test(id),
    plugins: [everyModule],
  })
  await write(bundle, folder).finally(() => bundle.close())
}

/** Also exports each module of its own, and keeps where it is: what it reads beside itself is found there. */
const everyModule: Plugin = {
  name: 'every module',
  load(id) {
    if (!id.startsWith('/') || id.includes('/node_modules/')) return undefined
    if (!/^(src|packages\/[^/]+\/src|web\/dashboard)\//.test(relative(root, id)))
      throw new Error(`${id} is not a source of the service`)
    if (id !== service) this.emitFile({ type: 'chunk', id, fileName: builtName(id) })
    const text = readFileSync(id, 'utf8')
    return { code: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)) }
  },
}

async function write(bundle: RolldownBuild, folder: string): Promise<void> {
  let atStart: Set<string> | undefined
  await bundle.write({
    dir: folder,
    entryFileNames: '[name]',
    chunkFileNames: 'parts/[name].mjs',
    sourcemap: true,
    codeSplitting: {
      groups: [
        {
          debugName: 'loaded at start',
          name(id, graph) {
            atStart ??= importedBy(service, (module) => graph.getModuleInfo(module)?.importedIds ?? [])
            return atStart.has(id) ? 'service' : null
          },
        },
      ],
    },
  })
}

/** A module and all that it needs at once, without what it imports later. */
function importedBy(start: string, importsOf: (module: string) => readonly string[]): Set<string> {
  const found = new Set([start])
  for (const module of found) for (const imported of importsOf(module)) found.add(imported)
  return found
}
