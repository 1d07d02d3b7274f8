import type { AnyCall } from '../app/call.ts'
import { type EarlyCalls, earlyKey, fresh } from '../app/early.ts'
import { parseSearch } from '../kit/list/search.ts'
import { chosenLanguage } from '../texts/language.ts'
import { callsAt } from './calls.ts'

// A script of its own, as small as possible: it arrives long before the others, and requests the data of the page while
// they are still loading.
const language = chosenLanguage()
const early: EarlyCalls = new Map()
const path = location.pathname.replace(/^\/dashboard/, '')
for (const call of callsAt(path, parseSearch(location.search), localStorage.getItem('doorstep.shop'))) {
  const url = urlOf(call)
  const response = fetch(url, { ...fresh, headers: { 'accept-language': language } })
  // The screen that takes it over sees the failure; until then it is nobody's.
  response.catch(() => {})
  early.set(earlyKey(language, url), response)
}
window.doorstepEarly = early

/** As the client writes it; for plain values, which is all that these calls have. */
function urlOf([path, { params = {} } = {}]: AnyCall): string {
  const names = new Map(Object.entries(params.path ?? {}))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(names.get(name))))
  const query = Object.entries(params.query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}
