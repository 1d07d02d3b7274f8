import { isSame } from '../../platform/foundation/crypto.ts'

/** Hosts that browsers reach without a network: plain HTTP is as good there, and development servers choose any port. */
const ownHosts = ['localhost', '127.0.0.1']

/**
 * A domain as it is stored, from what people copy: `https://Shop.example/` is `shop.example`. A text says what is wrong
 * with it.
 */
export function parseDomain(given: string): { domain: string } | { problem: string } {
  const text = given.trim()
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'https' && scheme !== 'http') return { problem: notADomain }
  const address = scheme === undefined ? `https://${text}` : text
  if (!URL.canParse(address)) return { problem: notADomain }
  const url = new URL(address)
  const isBare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  // The host goes into headers, so nothing but letters, digits, dots and hyphens; other scripts are encoded by now.
  if (!isBare || !/^[a-z0-9.-]{1,253}$/.test(url.hostname) || url.hostname.startsWith('.'))
    return { problem: notADomain }
  if (!ownHosts.includes(url.hostname) && (scheme === 'http' || !url.hostname.includes('.'))) {
    return { problem: scheme === 'http' ? 'must be served over HTTPS' : notADomain }
  }
  return { domain: url.host }
}

const notADomain = 'must be a domain such as www.shop.example, without a path'

/** The origins of a domain, as browsers name them; a `*` is any port. */
export function originsOf(domain: string): string[] {
  const [host = '', port] = domain.split(':')
  if (!ownHosts.includes(host)) return [`https://${domain}`]
  return ['http', 'https'].map((scheme) => `${scheme}://${host}:${port ?? '*'}`)
}

/** Whether pages of this origin belong to one of the domains. */
export function isListed(domains: readonly string[], origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, host } = new URL(origin)
  if (origin !== `${protocol}//${host}`) return false
  if (!ownHosts.includes(hostname)) return protocol === 'https:' && domains.includes(host)
  return /^https?:$/.test(protocol) && domains.some((domain) => domain === host || domain === hostname)
}

/** As much as the components need at any width from 288 px on, in every language: the tests measure it. */
export const reservedSpace = [
  'doorstep-promise,doorstep-tracking{display:grid}',
  'doorstep-promise{min-height:6em}',
  'doorstep-promise[rows="2"]{min-height:11em}',
  'doorstep-promise[rows="3"]{min-height:16em}',
  'doorstep-tracking{min-height:27em}',
  '@media(max-width:30em){',
  'doorstep-promise{min-height:7.5em}',
  'doorstep-promise[rows="2"]{min-height:14em}',
  'doorstep-promise[rows="3"]{min-height:20.5em}',
  'doorstep-tracking{min-height:28em}',
  '}',
  '@media(max-width:22em){',
  'doorstep-promise{min-height:9em}',
  'doorstep-promise[rows="2"]{min-height:17em}',
  'doorstep-promise[rows="3"]{min-height:25em}',
  '}',
].join('')

export function isPublicKey(known: string, given: string): boolean {
  return known !== '' && isSame(Buffer.from(known), Buffer.from(given))
}
