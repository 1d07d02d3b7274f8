import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import type { BundleParts, ScriptPart } from '../../src/http/dashboard/bundle.ts'
import { folderOf } from '../built.js'
import { bundle, contentsOf, type OutputFile } from './bundle.ts'
import { withCompressed, writeOutput } from './output.ts'

const sourceFolder = fileURLToPath(new URL('../../web/dashboard', import.meta.url))

/** Browsers of the last two years. */
const browsers = ['chrome130', 'edge130', 'firefox132', 'safari18']

/** Builds the dashboard: a few files for its start, one for each part that is loaded when it is needed. */
export async function buildDashboard(folder = folderOf('dashboard'), source = sourceFolder): Promise<void> {
  const [files, early] = await Promise.all([bundlePages(source), bundleEarly(source)])
  const icon = readIcon(source)
  const scripts = files.filter((file) => file.type === 'chunk')
  const styles = files.filter((file) => file.type === 'asset').map(({ fileName }) => fileName)
  const entry = scripts.find(({ facadeModuleId }) => facadeModuleId === join(source, 'main.tsx'))
  if (entry === undefined) throw new Error('the dashboard has no main.tsx')
  if (styles.length > 1) throw new Error(`a page loads one style sheet, and not all of ${styles.join(', ')}`)
  const parts: BundleParts = {
    entry: entry.fileName,
    early: early?.fileName,
    style: styles[0],
    icon: icon?.[0],
    scripts: Object.fromEntries(scripts.map((script) => [script.fileName, scriptPart(script, source)])),
  }
  const contents = contentsOf(early ? [...files, early] : files)
  if (icon) contents.set(...icon)
  writeOutput(folder, { files: await withCompressed(contents), parts })
}

/**
 * How modules become files. Left alone, a bundler makes a file of every set of modules that the same pages use: fifty for one
 * page, and over a slow network requests cost more than bytes. So what every page needs is one file, and what at least this
 * many pages share is another, although a page may use a part of it only.
 */
const pagesThatShare = 8
const shared = /[\\/](?:kit|app|node_modules|packages[\\/]client)[\\/]/

async function bundlePages(source: string): Promise<OutputFile[]> {
  const style = join(source, 'styles', 'index.css')
  return bundle({
    root: source,
    build: {
      target: browsers,
      rolldownOptions: {
        input: { main: join(source, 'main.tsx'), ...(existsSync(style) ? { index: style } : {}) },
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
          // The licences of what it contains stay in it.
          comments: { legal: true },
          codeSplitting: {
            groups: [
              // The style sheet stays apart: the page names it, and no script has to wait for it.
              { name: 'core', tags: ['$initial'], test: (module) => !module.endsWith('.css'), priority: 2 },
              { name: 'shared', test: shared, minShareCount: pagesThatShare, priority: 1 },
            ],
          },
        },
      },
    },
  })
}

/** Bundled into one file that waits for nothing; code that it shares with the others is in both. */
async function bundleEarly(source: string): Promise<OutputFile | undefined> {
  const input = join(source, 'early', 'early.ts')
  if (!existsSync(input)) return undefined
  const [script] = await bundle({
    root: source,
    build: {
      target: browsers,
      rolldownOptions: { input, output: { format: 'iife', entryFileNames: '[name]-[hash].js' } },
    },
  })
  return script
}

function readIcon(source: string): [name: string, content: Uint8Array] | undefined {
  const path = join(source, 'icon.svg')
  if (!existsSync(path)) return undefined
  const content = readFileSync(path)
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return [`icon-${hash}.svg`, content]
}

function scriptPart({ facadeModuleId, imports, dynamicImports }: Rolldown.OutputChunk, source: string): ScriptPart {
  return {
    module: facadeModuleId ? moduleName(facadeModuleId, source) : undefined,
    imports,
    laterImports: dynamicImports,
  }
}

function moduleName(id: string, source: string): string {
  return relative(source, id).replaceAll('\\', '/')
}
