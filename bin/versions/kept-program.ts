import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleService } from '../build/service.ts'
import { contentsOf, type Files, readFiles, writeFiles } from './kept-files.ts'

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** The service of a checkout as files that run beside today's packages. The dashboard is left out: it only uses the API. */
export async function bundleProgram(checkout: string): Promise<Files> {
  const bundled = await bundleService({
    checkout,
    folder: 'dist',
    entryPoints: { main: 'src/main.ts' },
    hasSourceMaps: false,
    minify: true,
  })
  const bundles = [...bundled].map(([name, content]) => [`dist/${name}`, contentsOf(Buffer.from(content))])
  return {
    ...readFiles(checkout, [
      'package.json',
      ...['src', 'web', 'migrations'].flatMap((folder) => read(checkout, folder)),
    ]),
    ...Object.fromEntries(bundles),
  }
}

/** Writes the program to a folder, and returns the file to start. */
export function unpackProgram(files: Files, folder: string): string {
  writeFiles(folder, files)
  symlinkSync(packages, join(folder, 'node_modules'))
  return join(folder, 'dist', 'main.mjs')
}

/** The files that the program reads when it runs. */
function read(checkout: string, folder: string): string[] {
  if (!existsSync(join(checkout, folder))) return []
  return readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(checkout, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !/\.(ts|tsx|md)$|^web\/dashboard\/|\/node_modules\/|^src\/demo\/pictures\//.test(path))
}
