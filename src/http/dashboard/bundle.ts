/** The files by their purpose, with the scripts that each needs. */
export interface BundleParts {
  /** The script that starts the dashboard. */
  entry: string
  /** The small script that makes a page's first calls while the others load. */
  early: string | undefined
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

/** A script and everything that is loaded with it. */
export function loadedWith(script: string, scripts: BundleParts['scripts']): string[] {
  const found = new Set([script])
  // Scripts that are added during the loop are visited, too.
  for (const each of found) for (const next of scripts[each]?.imports ?? []) found.add(next)
  return [...found]
}
