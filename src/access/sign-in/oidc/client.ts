import type { Configuration } from 'openid-client'
import type { OidcConfig } from '../../../platform/config/accounts.ts'
import { hourMs, secondMs } from '../../../platform/foundation/clock.ts'

declare module '../../../platform/foundation/services.ts' {
  interface Services {
    /** Undefined if nobody signs in through OIDC. */
    readonly oidc: OidcClient | undefined
  }
}

/** A person's data, as the provider reports them. */
export interface OidcIdentity {
  issuer: string
  subject: string
  email: string | undefined
  isEmailVerified: boolean
  name: string | undefined
  groups: string[]
}

/** Values that the provider must send back unchanged. */
export interface OidcChecks {
  state: string
  nonce: string
  verifier: string
}

const timeoutSeconds = 10
/** After this long the provider's addresses are read again. */
const discoveryMs = hourMs

/** The provider as its client: authorization code flow with PKCE. */
export class OidcClient {
  readonly config: OidcConfig
  #discovered: { configuration: Promise<Configuration>; atMs: number } | undefined

  constructor(config: OidcConfig) {
    this.config = config
  }

  get name(): string {
    return this.config.name
  }

  /** The provider's address to send the browser to. */
  async begin(redirectUri: string): Promise<{ url: string; checks: OidcChecks }> {
    const library = await load()
    const configuration = await this.#discover()
    const checks = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    }
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, checks }
  }

  /** Exchanges the code in the address for what the provider knows. Throws if anything does not match. */
  async finish(address: URL, { state, nonce, verifier }: OidcChecks): Promise<OidcIdentity> {
    const library = await load()
    const configuration = await this.#discover()
    const tokens = await library.authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('the provider sent no ID token')
    const { groupsClaim } = this.config
    const isComplete = claims.email !== undefined && claims[groupsClaim] !== undefined
    // Many providers put only the subject into the token.
    const details = isComplete ? {} : await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return readIdentity({ ...details, ...claims }, groupsClaim)
  }

  /** Reads the provider's addresses and keys, at the first sign-in and now and then. A failure is not remembered. */
  #discover(): Promise<Configuration> {
    const nowMs = performance.now()
    if (this.#discovered && nowMs - this.#discovered.atMs < discoveryMs) return this.#discovered.configuration
    const configuration = this.#read()
    const discovered = { configuration, atMs: nowMs }
    this.#discovered = discovered
    configuration.catch(() => {
      if (this.#discovered === discovered) this.#discovered = undefined
    })
    return configuration
  }

  async #read(): Promise<Configuration> {
    const library = await load()
    const { issuer, clientId, clientSecret } = this.config
    const server = new URL(issuer)
    const configuration = await library.discovery(server, clientId, clientSecret, undefined, {
      timeout: timeoutSeconds,
      // Settings allow plain HTTP on this machine only.
      execute: server.protocol === 'http:' ? [library.allowInsecureRequests] : [],
    })
    // The token comes over TLS from the provider; its signature is checked all the same.
    library.enableNonRepudiationChecks(configuration)
    return configuration
  }
}

/** Loaded at the first sign-in: most installations never need it. */
function load() {
  return import('openid-client')
}

function readIdentity(claims: Record<string, unknown>, groupsClaim: string): OidcIdentity {
  const groups = claims[groupsClaim]
  const subject = String(claims.sub)
  // OpenID Connect allows 255 ASCII characters. It is stored, and found again by its exact text.
  if (!/^[\x20-\x7e]{1,255}$/.test(subject)) throw new Error('the provider sent a malformed id of the person')
  return {
    issuer: String(claims.iss),
    subject,
    email: textOf(claims.email),
    // Some providers send it as text.
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: textOf(claims.name),
    groups: (Array.isArray(groups) ? groups : [groups]).filter((group) => typeof group === 'string'),
  }
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : undefined
}

/** The longest time that a sign-in at the provider may take. */
export const maxSignInMs = 600 * secondMs
