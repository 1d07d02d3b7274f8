import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OutputChunk } from 'rolldown'
import { root, stampSources } from '../bundling/sources.ts'
import type { Bundle } from '../bundling/stored-bundle.ts'
import { readScreens, type ScreenAddress } from './screens.ts'
import { partOfTexts, readLaterTexts, splitTexts } from './split-texts.ts'

type BundledFile = readonly [name: string, content: Uint8Array]

/** Which files are what, and which need which. */
export interface BundleParts {
  /** The script that starts the dashboard. */
  entry: string
  /** The small script that makes a page's first calls while the others load. */
  early: string | undefined
  style: string | undefined
  icon: string | undefined
  scripts: Record<string, ScriptPart>
  /** Which screen is shown where. */
  screens: ScreenAddress[]
  /** Folders of screens that load texts of their own with them. */
  foldersWithTexts: string[]
}

export interface ScriptPart {
  /** The module it was made for, from the dashboard's folder: `screens/home/home.tsx`. */
  module: string | undefined
  /** Scripts that are loaded with it. */
  imports: string[]
  /** Scripts that it loads when they are needed. */
  laterImports: string[]
}

export const sourceFolder = join(root, 'web', 'dashboard')

const others = [
  join(root, 'packages', 'client', 'src', 'client.ts'),
  ...['bundle.ts', 'screens.ts', 'split-texts.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
]

export function stampDashboard(folder = sourceFolder): string | undefined {
  return stampSources(folder, 'main.tsx', others)
}

/** Browsers of the last two years. */
const browsers = ['chrome130', 'edge130', 'firefox132', 'safari18']

/** Bundles the dashboard: a few files for its start, one for each part that is loaded when it is needed. */
export async function bundleDashboard(folder: string): Promise<Bundle<BundleParts>> {
  const [scripts, early, style, later] = await Promise.all([
    bundleScripts(folder),
    bundleEarly(folder),
    bundleStyle(folder),
    readLaterTexts(folder),
  ])
  const icon = readIcon(folder)
  const files = new Map<string, Uint8Array>(scripts.map(({ fileName, code }) => [fileName, Buffer.from(code)]))
  for (const file of [early, style, icon]) if (file) files.set(...file)
  const entry = scripts.find(({ isEntry }) => isEntry)
  if (entry === undefined) throw new Error('the dashboard has no main.tsx')
  return {
    files,
    parts: {
      entry: entry.fileName,
      early: early?.[0],
      style: style?.[0],
      icon: icon?.[0],
      scripts: Object.fromEntries(scripts.map((script) => [script.fileName, scriptPart(script, folder)])),
      screens: readScreens(folder),
      foldersWithTexts: Object.keys(later),
    },
  }
}

/**
 * How modules become files. Left alone, a bundler makes a file of every set of modules that the same pages use: fifty for one
 * page, and over a slow network requests cost more than bytes. So what every page needs is one file, and what at least this
 * many pages share is another, although a page may use a part of it only.
 */
const pagesThatShare = 8
const shared = /[\\/](?:kit|app|node_modules|packages[\\/]client)[\\/]/

async function bundleScripts(folder: string): Promise<OutputChunk[]> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(folder, 'main.tsx'),
    cwd: folder,
    platform: 'browser',
    plugins: [splitTexts(folder)],
    // Packages are bundled in their production form, because the result is minified.
    transform: { target: browsers },
    logLevel: 'silent',
  })
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      minify: true,
      // The licences of what it contains stay in it.
      comments: { legal: true },
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: {
        groups: [
          { name: 'core', tags: ['$initial'], priority: 2 },
          { name: 'shared', test: shared, minShareCount: pagesThatShare, priority: 1 },
        ],
      },
    })
    return output.filter((file) => file.type === 'chunk')
  } finally {
    await bundle.close()
  }
}

/** In one file that waits for nothing; what it shares with the others is in both. */
async function bundleEarly(folder: string): Promise<BundledFile | undefined> {
  const input = join(folder, 'early', 'early.ts')
  if (!existsSync(input)) return undefined
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input,
    cwd: folder,
    platform: 'browser',
    transform: { target: browsers },
    logLevel: 'silent',
  })
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true, entryFileNames: '[name]-[hash].js' })
    return [output[0].fileName, Buffer.from(output[0].code)]
  } finally {
    await bundle.close()
  }
}

async function bundleStyle(folder: string): Promise<BundledFile | undefined> {
  const source = join(folder, 'styles', 'index.css')
  if (!existsSync(source)) return undefined
  const { build, stop } = await import('esbuild')
  try {
    const { outputFiles } = await build({
      entryPoints: [source],
      outdir: join(folder, 'dist'),
      bundle: true,
      minify: true,
      target: browsers,
      entryNames: '[name]-[hash]',
      write: false,
      logLevel: 'silent',
    })
    const [style] = outputFiles
    return style && [basename(style.path), style.contents]
  } finally {
    // Its process would stay for as long as ours.
    await stop()
  }
}

function readIcon(folder: string): BundledFile | undefined {
  const source = join(folder, 'icon.svg')
  if (!existsSync(source)) return undefined
  const content = readFileSync(source)
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return [`icon-${hash}.svg`, content]
}

function scriptPart({ facadeModuleId, imports, dynamicImports }: OutputChunk, folder: string): ScriptPart {
  return {
    module: facadeModuleId ? moduleName(facadeModuleId, folder) : undefined,
    imports,
    laterImports: dynamicImports,
  }
}

function moduleName(id: string, folder: string): string {
  return partOfTexts(id) ?? relative(folder, id).replaceAll('\\', '/')
}

/** A script and everything that is loaded with it. */
export function loadedWith(script: string, scripts: BundleParts['scripts']): string[] {
  const found = new Set([script])
  // What is added on the way is visited, too.
  for (const each of found) for (const next of scripts[each]?.imports ?? []) found.add(next)
  return [...found]
}
