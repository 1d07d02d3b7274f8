import { type Pattern, pages, patternOf } from '../../../web/dashboard/routes/pages.ts'
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
export function preloadsFor({ entry, scripts }: BundleParts, visit: Visit): string[] {
  const pattern = patternSeen(visit)
  const modules = [firstTexts(visit.language), ...(pattern === undefined ? [] : modulesOf(pattern, visit))]
  const later = modules.flatMap((module) => scriptsOf(module, scripts))
  const needed = [entry, ...later].flatMap((script) => loadedWith(script, scripts))
  return [...new Set(needed)].filter((script) => script !== entry)
}

function modulesOf(pattern: Pattern, { language }: Visit): string[] {
  const { screen, texts } = pages[pattern]
  return [...texts.map((folder) => `${folder}/texts.${language}.json`), `screens/${screen}.tsx`]
}

/** The module with the texts that every page needs. */
export function firstTexts(language: string): string {
  return `texts/first/${language}.ts`
}

function scriptsOf(module: string, scripts: BundleParts['scripts']): string[] {
  return Object.keys(scripts).filter((name) => scripts[name]?.module === module)
}

/** The page that a visitor will see. Without a session that is the sign-in page, unless the page is for strangers. */
function patternSeen({ path, hasSession }: Visit): Pattern | undefined {
  const isPublic = publicPaths.some((name) => path.startsWith(name))
  if (!hasSession && !isPublic) return '/sign-in'
  // A person who comes without a shop goes to Home of the last one.
  return path.replaceAll('/', '') === '' ? '/$slug' : patternOf(path, pages)
}

const publicPaths = ['/sign-in', '/invitation', '/forgotten']
