import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns'
import { isIP } from 'node:net'
import { OutgoingError } from './errors.ts'
import { isPrivateAddress } from './private-addresses.ts'

export function checkUrl(address: string | URL, allowPrivate: boolean): URL {
  const url = typeof address === 'string' ? parseUrl(address) : address
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutgoingError('connect', `${url.protocol} addresses are not supported`)
  }
  if (allowPrivate) return url
  const host = bareHost(url)
  if (isIP(host) !== 0 && isPrivateAddress(host)) throw privateAddress(host)
  return url
}

function parseUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new OutgoingError('connect', 'this is not an address that can be called')
  }
}

function privateAddress(address: string): OutgoingError {
  return new OutgoingError('connect', `${address} is a private address, which is not called`)
}

/**
 * A proxy would resolve the name again, and might get another address. So it is sent the address that was
 * checked here. The name stays in the Host header, which is also what certificates are checked against.
 */
export function resolveFor(url: URL): Promise<URL> {
  return new Promise((done, fail) => {
    if (isIP(bareHost(url)) !== 0) return done(url)
    guardedLookup(url.hostname, { all: false }, (error, address, family) => {
      if (error) return fail(error)
      const resolved = new URL(url)
      resolved.hostname = family === 6 ? `[${address}]` : String(address)
      return done(resolved)
    })
  })
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * Resolves a name for the connection that is being made, so that a name which resolves differently the second time gains
 * nothing: the address that was checked is the address that is called.
 */
export function guardedLookup(hostname: string, options: LookupOptions, done: LookupCallback): void {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    const rejected = addresses.find(({ address }) => isPrivateAddress(address))
    if (rejected) return done(privateAddress(rejected.address), [])
    if (options.all) return done(null, addresses)
    const [first] = addresses
    return done(null, first?.address ?? '', first?.family)
  })
}
