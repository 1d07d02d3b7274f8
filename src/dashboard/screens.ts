import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The screen that an address shows: `/$slug/orders/$orderId` and `screens/orders/order.tsx`. */
export interface ScreenAddress {
  pattern: string
  module: string
}

/** What lies above a route, by the name of its parent; see `shell/routes/entry.ts`. */
const parents: Readonly<Record<string, string>> = { root: '', signedIn: '', shop: '/$slug' }

/** The addresses of all screens, read from the files that declare the routes. */
export function readScreens(folder: string): ScreenAddress[] {
  const routes = join(folder, 'shell', 'routes')
  if (!existsSync(routes)) return []
  return readdirSync(routes)
    .sort()
    .flatMap((name) => screensIn(readFileSync(join(routes, name), 'utf8')))
}

/** One `createRoute({ … })` after the other. Those without a screen of their own are left out. */
function screensIn(source: string): ScreenAddress[] {
  const declarations = source.split('createRoute({\n').slice(1)
  return declarations.flatMap((text) => {
    const declaration = text.split('\n})')[0] ?? ''
    const parent = /getParentRoute: \(\) => (\w+)/.exec(declaration)?.[1]
    const path = /\n {2}path: '([^']*)'/.exec(declaration)?.[1]
    const module = /import\('\.\.\/\.\.\/(screens\/[^']+)'\)/.exec(declaration)?.[1]
    const above = parent === undefined ? undefined : parents[parent]
    if (module === undefined || path === undefined || above === undefined) return []
    return [{ pattern: `${above}${path}`.replace(/(?<=.)\/$/, ''), module }]
  })
}

/** The screen at a path, or else the one above it, which shows its parts beside each other. */
export function screenAt(path: string, screens: readonly ScreenAddress[]): string | undefined {
  const parts = partsOf(path)
  const found = findScreen(parts, screens)
  return found ?? (parts.length > 2 ? findScreen(parts.slice(0, -1), screens) : undefined)
}

function findScreen(parts: readonly string[], screens: readonly ScreenAddress[]): string | undefined {
  const fitting = screens.filter(({ pattern }) => fits(parts, partsOf(pattern)))
  // A name is more than a place for any.
  return fitting.toSorted((left, right) => places(left) - places(right))[0]?.module
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

function fits(parts: readonly string[], pattern: readonly string[]): boolean {
  return parts.length === pattern.length && pattern.every((name, at) => name.startsWith('$') || name === parts[at])
}

function places({ pattern }: ScreenAddress): number {
  return pattern.split('$').length
}
