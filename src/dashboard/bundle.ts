import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Metafile } from 'esbuild'

/** The files of the dashboard as browsers load them. */
export interface Bundle {
  files: ReadonlyMap<string, Uint8Array>
  parts: BundleParts
}

/** Which files are what, and which need which. */
export interface BundleParts {
  /** The script that starts the dashboard. */
  entry: string
  style: string | undefined
  icon: string | undefined
  scripts: Record<string, ScriptPart>
}

export interface ScriptPart {
  /** The module it was made for, from the dashboard's folder: `screens/home/home.tsx`. */
  module: string | undefined
  /** Scripts that are loaded with it. */
  imports: string[]
  /** Scripts that it loads when they are needed. */
  laterImports: string[]
}

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const sourceFolder = join(root, 'web', 'dashboard')

/** Browsers of the last two years. */
const browsers = ['chrome130', 'edge130', 'firefox132', 'safari18']

/** Bundles the dashboard: one file for its start, one for each part that is loaded when it is needed. */
export async function bundleDashboard(folder: string): Promise<Bundle> {
  const { build, stop } = await import('esbuild')
  try {
    const { outputFiles, metafile } = await build({ ...optionsFor(folder), write: false, metafile: true })
    const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
    return { files, parts: partsOf(metafile) }
  } finally {
    // Its process would stay for as long as ours.
    await stop()
  }
}

function optionsFor(folder: string): BuildOptions {
  return {
    entryPoints: ['main.tsx', 'styles/index.css', 'icon.svg'].filter((path) => existsSync(join(folder, path))),
    absWorkingDir: folder,
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    // Packages are bundled in their production form, too.
    minify: true,
    target: browsers,
    jsx: 'automatic',
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    // In a file beside the script: the licences of what it contains.
    legalComments: 'linked',
    logLevel: 'silent',
  }
}

function partsOf({ outputs }: Metafile): BundleParts {
  const named = Object.entries(outputs).map(([path, output]) => ({ name: basename(path), output }))
  const styles = named.filter(({ name }) => name.endsWith('.css'))
  const icon = named.find(({ name }) => name.endsWith('.svg'))?.name
  const entry = named.find(({ output }) => output.entryPoint === 'main.tsx')
  if (entry === undefined) throw new Error('the dashboard has no main.tsx')
  // A script that is loaded later does not load its style sheet.
  if (styles.length > 1) throw new Error('style sheets of the dashboard must be imported by styles/index.css')
  const scripts = named.filter(({ name }) => name.endsWith('.js'))
  return {
    entry: entry.name,
    style: styles[0]?.name,
    icon,
    scripts: Object.fromEntries(scripts.map(({ name, output }) => [name, scriptPart(output)])),
  }
}

function scriptPart({ entryPoint, imports }: Metafile['outputs'][string]): ScriptPart {
  const targets = (kind: string) => imports.filter((each) => each.kind === kind).map(({ path }) => basename(path))
  return {
    module: entryPoint,
    imports: targets('import-statement'),
    laterImports: targets('dynamic-import'),
  }
}

/** A script and everything that is loaded with it. */
export function loadedWith(script: string, scripts: BundleParts['scripts']): string[] {
  const found = new Set([script])
  // What is added on the way is visited, too.
  for (const each of found) for (const next of scripts[each]?.imports ?? []) found.add(next)
  return [...found]
}
