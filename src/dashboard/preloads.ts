import { type BundleParts, loadedWith } from './bundle.ts'
import { type ScreenAddress, screenAt } from './screens.ts'

/** A request for a page of the dashboard. */
export interface Visit {
  /** The path below `/dashboard`. */
  path: string
  language: string
  /** Whether the browser sent the cookie of a session; it may have ended. */
  hasSession: boolean
}

/**
 * The scripts that a page will need, so that the browser loads all at once instead of one after the other, which would
 * take four round trips more. A guess: whatever is missing is loaded when it is needed.
 */
export function preloadsFor({ entry, scripts, screens, foldersWithTexts }: BundleParts, visit: Visit): string[] {
  const screen = screenOf(visit, screens)
  const folder = foldersWithTexts.find((folder) => screen?.startsWith(`screens/${folder}/`))
  const texts = ['first', ...(folder === undefined ? [] : [folder])].map(
    (part) => `texts/${visit.language}.json?${part}`,
  )
  const modules = [...texts, screen]
  const later = modules.flatMap((module) => scriptsOf(module, scripts))
  const needed = [entry, ...later].flatMap((script) => loadedWith(script, scripts))
  return [...new Set(needed)].filter((script) => script !== entry)
}

function scriptsOf(module: string | undefined, scripts: BundleParts['scripts']): string[] {
  return Object.keys(scripts).filter((name) => module !== undefined && scripts[name]?.module === module)
}

/** The module of the screen that a visitor will see. Without a session that is the sign-in page, unless the page is for strangers. */
function screenOf({ path, hasSession }: Visit, screens: readonly ScreenAddress[]): string | undefined {
  const isPublic = publicPaths.some((name) => path.startsWith(name))
  if (!hasSession && !isPublic) return screenAt('/sign-in', screens)
  // A person who comes without a shop goes to Home of the last one.
  return screenAt(path.replaceAll('/', '') === '' ? '/-' : path, screens)
}

const publicPaths = ['/sign-in', '/invitation', '/forgotten']
