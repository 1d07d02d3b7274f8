/**
 * The text if it is an http or https address. No other scheme is accepted: such a link may run a script. One without a
 * scheme (`//cdn.example/a.jpg`) is https; blanks in it are encoded. A user name or password in it is removed:
 * customers read the links.
 */
export function webAddress(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim() ?? ''
  const whole = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
  if (!isWebAddress(whole) || !URL.canParse(whole)) return undefined
  return withoutCredentials(/\s/.test(whole) ? new URL(whole).href : whole)
}

/**
 * The web address that a person typed; `https://` is added to one that begins with `www.`. Undefined for other texts.
 */
export function typedAddress(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim() ?? ''
  const address = webAddress(/^www\.[^\s/?#@.]+\.\S+$/i.test(trimmed) ? `https://${trimmed}` : trimmed)
  return address === undefined ? undefined : new URL(address).href
}

/** Whether a stored text begins like an http or https address: it was parsed when it was stored. */
export function isWebAddress(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^https?:\/\//i.test(text)
}

/** Addresses stored before they were checked are not shown: receivers turn them into links. */
export function shownLink(text: string | null | undefined): string | null {
  return isWebAddress(text) ? withoutCredentials(text) : null
}

/** An address without the user name and the password before its host; any other text as it is. */
export function withoutCredentials(address: string): string {
  // Parsed only if there may be some: most addresses have no such sign.
  if (!address.includes('@') || !URL.canParse(address)) return address
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  url.username = ''
  url.password = ''
  return url.href
}

/** The same of an address that may be typed without a scheme, such as `rest.fra-01.braze.eu`. */
export function hostWithoutCredentials(text: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return withoutCredentials(text)
  const scheme = 'https://'
  return withoutCredentials(`${scheme}${text}`).slice(scheme.length)
}
