/**
 * Calls that were made while the dashboard's scripts were still loading, by language and address (`early/early.ts`); a later
 * script takes the responses over.
 */
export type EarlyCalls = Map<string, Promise<Response>>

declare global {
  interface Window {
    doorstepEarly?: EarlyCalls
  }
}

export function earlyKey(language: string, url: string): string {
  return `${language} ${new URL(url, location.origin).href}`
}

/** The dashboard has its own cache and decides when to load again. The browser's copy would be old then. */
export const fresh: RequestInit = { cache: 'no-store' }

/** Sends a request, unless its response is already here or on its way. */
export async function fetchOrTakeEarly(request: Request): Promise<Response> {
  const key = earlyKey(request.headers.get('accept-language') ?? '', request.url)
  const early = request.method === 'GET' ? window.doorstepEarly?.get(key) : undefined
  if (early === undefined) return fetch(request, fresh)
  // Once only: the next one wants to know what is new.
  window.doorstepEarly?.delete(key)
  return early.catch(() => fetch(request, fresh))
}

/** How long after its start a page may still make its first calls. */
const firstCallsMs = 5_000

/** Drops responses that the page did not use: they would be old later, and occupy a connection until they are read. */
export function forgetEarlyCalls(): void {
  setTimeout(() => {
    for (const response of window.doorstepEarly?.values() ?? []) {
      response.then(({ body }) => body?.cancel()).catch(() => {})
    }
    window.doorstepEarly?.clear()
  }, firstCallsMs)
}
