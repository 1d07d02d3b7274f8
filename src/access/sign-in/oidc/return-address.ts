const home = '/dashboard'
const maxLength = 1_000

/** The page to open after a sign-in: one of the dashboard, or its first. No link of ours leads anywhere else. */
export function safeReturnAddress(given: string | undefined): string {
  if (given === undefined || given.length > maxLength || !given.startsWith(`${home}/`)) return home
  // As a browser reads it: `..`, backslashes, line breaks and all.
  const base = 'http://doorstep.invalid'
  if (!URL.canParse(given, base)) return home
  const { origin, pathname, search } = new URL(given, base)
  return origin === base && pathname.startsWith(`${home}/`) ? `${pathname}${search}` : home
}
