import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface Account {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

export interface IdentityProvider {
  issuer: string
  client: { id: string; secret: string }
  /** The signed-in account: everyone who is sent there comes back with it. Undefined: they cancel. */
  account: Account | undefined
  /** False: it does not respond. */
  isUp: boolean
  /** Registers the address that it leads browsers back to. */
  register(redirectUri: string): void
  close(): Promise<void>
}

/** A real OpenID provider on loopback, without pages: it decides at once. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const client = { id: 'doorstep', secret: 'the-secret-of-doorstep-at-its-provider' }
  let handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined
  const server = createServer((request, response) => {
    if (!provider.isUp || handle === undefined) {
      request.socket.destroy()
      return
    }
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  const provider: IdentityProvider = {
    issuer,
    client,
    account: undefined,
    isUp: true,
    register(redirectUri) {
      const oidc = createProvider(provider, redirectUri)
      const serve = oidc.callback()
      handle = async (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return serve(request, response)
        const { account } = provider
        const result = account
          ? { login: { accountId: account.sub } }
          : { error: 'access_denied', error_description: 'cancelled' }
        return oidc.interactionFinished(request, response, result)
      }
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return provider
}

function createProvider(provider: IdentityProvider, redirectUri: string): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new Provider(provider.issuer, {
    clients: [
      {
        client_id: provider.client.id,
        client_secret: provider.client.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key for its own cookies'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...provider.account, sub }) }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }: GrantContext) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}

interface GrantContext {
  oidc: {
    client: { clientId: string }
    session: { accountId: string }
    provider: { Grant: new (owner: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> } }
  }
}

/** A browser that keeps cookies by origin, and follows redirects only as far as the test says. */
export class RedirectFollower {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** One request, without following what it leads to. */
  async open(
    url: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; location: string; headers: Headers }> {
    const { origin } = new URL(url)
    const jar = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { ...(cookie ? { cookie } : {}), ...headers } })
    await response.arrayBuffer()
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get('location')
    return {
      status: response.status,
      location: location === null ? '' : new URL(location, url).href,
      headers: response.headers,
    }
  }

  /** Follows redirects until one leads to an address that begins like this, which is returned and not opened. */
  async follow(url: string, until: string): Promise<string> {
    let next = url
    for (let hops = 0; hops < 10; hops += 1) {
      const { location, status } = await this.open(next)
      if (location === '') throw new Error(`${next} leads nowhere: ${status}`)
      if (location.startsWith(until)) return location
      next = location
    }
    throw new Error(`too many redirects from ${url}`)
  }

  cookie(origin: string, name: string): string | undefined {
    return this.#cookies.get(origin)?.get(name)
  }
}
