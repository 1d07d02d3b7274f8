import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The files of the service and its generators. */
const copied = [
  'src',
  'web',
  'packages',
  'bin',
  'migrations',
  'docs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** Copies this checkout into an empty folder. The packages of others are linked, and ours are the copies. */
export function copyCheckout(folder: string): void {
  for (const name of copied) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !['node_modules', 'dist', 'pictures'].includes(basename(path)),
    })
  }
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'), folder)
  for (const name of readdirSync(join(root, 'packages'))) {
    const own = join(root, 'packages', name, 'node_modules')
    if (readdirSync(join(root, 'packages', name)).includes('node_modules')) {
      symlinkSync(own, join(folder, 'packages', name, 'node_modules'))
    }
  }
}

function linkPackages(from: string, to: string, folder: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const [, own] = /^doorstep-(\w+)$/.exec(name) ?? []
    if (name.startsWith('.')) continue
    symlinkSync(own ? join(folder, 'packages', own) : join(from, name), join(to, name))
  }
}

/** Adds a description to the registry of a port: an import, and a line of its list. */
export function addToRegistry(folder: string, { port, name }: { port: string; name: string }): void {
  const file = join(folder, 'src/adapters', port, 'registry.ts')
  const text = readFileSync(file, 'utf8')
  const list = /^(export const described\w+ = \[[^\]]*)\] as const/m
  const added = text.replace(list, `$1, ${name}] as const`)
  if (added === text) throw new Error(`${file} has no list of descriptions`)
  writeFileSync(file, `import { ${name} } from './${name}/description.ts'\n${added}`)
}
