// The packages of others that we use, with their licences: `npm run licences`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface UsedPackage {
  name: string
  version: string
  licence: string
  /** Of the licence, as the package has it; undefined if it is not installed here, or has none. */
  text: string | undefined
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packages that run in production: installed with the server, or part of a bundle. */
export function listUsedPackages(): UsedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>
  }
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version = '', license = 'unknown' }]) => ({
      name: path.split('node_modules/').at(-1) ?? path,
      version,
      licence: license,
      text: readText(join(root, path)),
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

function readText(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const name = readdirSync(folder).find((each) => /^(licen[cs]e|copying)(\.|$)/i.test(each))
  return name === undefined ? undefined : readFileSync(join(folder, name), 'utf8').trim()
}

/** The list with the texts, for everybody who gets the bundles. */
export function writeNotices(packages: UsedPackage[]): string {
  const parts = packages.map(({ name, version, licence, text }) =>
    [`## ${name} ${version}`, licence, ...(text === undefined ? [] : [`\`\`\`\n${text}\n\`\`\``])].join('\n\n'),
  )
  return `# Software of others\n\nDoorstep contains or installs these packages.\n\n${parts.join('\n\n')}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, version, licence } of listUsedPackages()) process.stdout.write(`${licence}\t${name} ${version}\n`)
}
