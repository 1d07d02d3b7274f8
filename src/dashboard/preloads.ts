import { type BundleParts, loadedWith } from './bundle.ts'

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
export function preloadsFor({ entry, scripts, screensWithLaterTexts }: BundleParts, visit: Visit): string[] {
  const screen = screenAt(visit, scripts)
  const needsLaterTexts = screensWithLaterTexts.some((folder) => screen?.startsWith(`screens/${folder}/`))
  const texts = `texts/${visit.language}.json`
  const modules = [`${texts}?first`, ...(needsLaterTexts ? [`${texts}?later`] : []), screen]
  const later = modules.flatMap((module) => scriptsOf(module, scripts))
  const needed = [entry, ...later].flatMap((script) => loadedWith(script, scripts))
  return [...new Set(needed)].filter((script) => script !== entry)
}

/**
 * The addresses of the API that a page will ask first, and nothing that is in a language: who is signed in, and on Home what
 * needs the merchant. They are asked for while the scripts are still loading.
 */
export function callsFor({ scripts }: BundleParts, visit: Visit): string[] {
  if (!visit.hasSession) return []
  const isHome = screenAt(visit, scripts) === 'screens/home/home.tsx'
  const slug = /^\/([\w-]+)\/?$/.exec(visit.path)?.[1]
  return ['/v1/session', ...(isHome && slug !== undefined ? [`/v1/shops/${slug}/attention`] : [])]
}

function scriptsOf(module: string | undefined, scripts: BundleParts['scripts']): string[] {
  return Object.keys(scripts).filter((name) => module !== undefined && scripts[name]?.module === module)
}

/** The module of the screen at a path. Screens lie in folders that are named like their address. */
function screenAt({ path, hasSession }: Visit, scripts: BundleParts['scripts']): string | undefined {
  const [first = '', area, part, id] = path.split('/').filter((segment) => segment !== '')
  const candidates =
    first === 'invitation'
      ? ['sign-in/invitation']
      : first === 'sign-in' || !hasSession
        ? ['sign-in/sign-in']
        : area === undefined
          ? [`${first}/${first}`, 'home/home']
          : part === undefined
            ? [`${area}/${area}`]
            : id === undefined
              ? [`${area}/${part}/${part}`, `${area}/${part}`, `${part}/${part}`, `${area}/${singular(area)}`]
              : [`${area}/${singular(part)}`, `${part}/${singular(part)}`]
  const modules = new Set(Object.values(scripts).map(({ module }) => module))
  return candidates.map((name) => `screens/${name}.tsx`).find((module) => modules.has(module))
}

/** One order is shown by `orders/order.tsx`. */
function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '')
}
