import type { FastifyRequest } from 'fastify'
import type { Client } from '../platform/foundation/context.ts'

/**
 * Whether the session cookie of a request counts: only if a page of our own sent the request, or if the user opened the
 * address. Browsers report it in Sec-Fetch-Site. Over plain HTTP to another machine they do not, and the Origin
 * decides, which every browser sends with unsafe methods.
 */
export function mayUseCookie(request: FastifyRequest, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin } = request.headers
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isSafe && mode === 'navigate')
  return origin === undefined ? isSafe : isOwnOrigin(request, publicUrl, origin)
}

/** Whether a browser says that a page of our own sent the request. Clients other than browsers send Sec-Fetch-Mode, too. */
export function isFromOwnPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['sec-fetch-site'] === 'same-origin'
}

/** Whether a script of a page sent the request: one that gets no Basic challenge, for which browsers would open a dialog. */
export function isFromScript({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? headers.origin !== undefined : mode !== 'navigate'
}

/** The client of a request. Values that only sign-ins need are computed when they are read. */
export class RequestClient implements Client {
  readonly #request: FastifyRequest
  readonly #publicUrl: string

  constructor(request: FastifyRequest, publicUrl: string) {
    this.#request = request
    this.#publicUrl = publicUrl
  }

  get address(): string {
    return this.#request.ip ?? ''
  }

  get userAgent(): string {
    return this.#request.headers['user-agent'] ?? ''
  }

  get isSecure(): boolean {
    return isSecure(this.#request, this.#publicUrl)
  }

  get isForeign(): boolean {
    const { 'sec-fetch-site': site, origin } = this.#request.headers
    if (site !== undefined) return site !== 'same-origin' && site !== 'none'
    return origin !== undefined && !isOwnOrigin(this.#request, this.#publicUrl, origin)
  }

  whenGone(act: () => void): () => void {
    const { socket } = this.#request.raw
    if (socket.destroyed) act()
    socket.once('close', act)
    return () => socket.removeListener('close', act)
  }
}

/** Over HTTPS, or at a public address that is: a proxy in front of us may end TLS without reporting it. */
export function isSecure(request: FastifyRequest, publicUrl: string): boolean {
  return request.protocol === 'https' || publicUrl.toLowerCase() === `https://${request.host}`.toLowerCase()
}

function isOwnOrigin(request: FastifyRequest, publicUrl: string, origin: string): boolean {
  const own = [`${isSecure(request, publicUrl) ? 'https' : 'http'}://${request.host}`, publicUrl]
  return own.some((address) => URL.canParse(address) && new URL(address).origin === origin)
}
