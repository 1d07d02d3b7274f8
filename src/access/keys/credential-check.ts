import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { ApiError, rateLimited } from '../../platform/foundation/errors.ts'
import type { Principal } from '../../platform/foundation/roles.ts'
import {
  type Attempt,
  AttemptCounter,
  type AttemptLimit,
  giveBackAttempts,
  rememberRight,
  wasRight,
} from '../../platform/store/attempts.ts'
import { findPrincipal } from './store.ts'

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** The one check of user names and API keys, for requests and for sign-ins. */
    readonly credentials: CredentialCheck
  }
}

export interface Credentials {
  username: string
  secret: string
  /** Of both, as the caller likes to make it. */
  digest: string
}

type Store = Pick<Context, 'db' | 'now'>

/** Wrong credentials of one user name, tried from one network, before both together have to wait. */
const logIns: AttemptLimit = { name: 'log-in', limit: 20, windowMs: minuteMs }

const maxTrusted = 20_000

/** Checks credentials against the store, and limits how often they can be guessed. */
export class CredentialCheck {
  readonly #attempts = new AttemptCounter()
  readonly #running = new Map<string, Promise<Principal>>()
  /** Credentials that were right from a network, oldest first. */
  readonly #trusted = new Set<string>()

  /** Requests with the same credentials at the same time wait for the first; if it fails, each is counted. */
  async check(store: Store, credentials: Credentials, network: string): Promise<Principal> {
    const pass = `${network} ${credentials.digest}`
    const running = this.#running.get(pass)
    const found = running && (await running.catch(() => undefined))
    if (found) return found
    const started = this.#checkOne(store, credentials, network, pass)
    if (this.#running.has(pass)) return started
    this.#running.set(pass, started)
    return started.finally(() => this.#running.delete(pass))
  }

  /** Whether log-ins with the user name from this network are over the limit, as far as this process knows. */
  isLimited(network: string, username: string, now: Date): boolean {
    return this.#attempts.isLimited(now, attemptOf(network, username))
  }

  trust(network: string, digest: string): void {
    this.#trust(`${network} ${digest}`)
  }

  /**
   * Counted before it is checked, unless it was right from there before: a key in use must not have to wait because
   * others guess from its network.
   */
  async #checkOne(store: Store, { username, secret }: Credentials, network: string, pass: string): Promise<Principal> {
    if (this.#trusted.has(pass)) {
      const principal = await findPrincipal(store, username, secret)
      if (principal) return principal
      this.#trusted.delete(pass)
    }
    const counted = await this.#attempts.count(store, [attemptOf(network, username)])
    if (counted.waitSeconds > 0 && !(await wasRight(store, pass))) throw tooManyAttempts(counted.waitSeconds)
    const principal = await findPrincipal(store, username, secret)
    if (principal === undefined) {
      throw new ApiError('invalid_merchant_or_key', 'The username or the API key is wrong, or the key was revoked.')
    }
    await giveBackAttempts(store, counted)
    await rememberRight(store, pass)
    this.#trust(pass)
    return principal
  }

  #trust(pass: string): void {
    this.#trusted.delete(pass)
    this.#trusted.add(pass)
    if (this.#trusted.size <= maxTrusted) return
    for (const oldest of this.#trusted) {
      this.#trusted.delete(oldest)
      break
    }
  }
}

function attemptOf(network: string, username: string): Attempt {
  return { limit: logIns, subject: `${network} ${username}` }
}

function tooManyAttempts(waitSeconds: number): ApiError {
  return rateLimited('Too many failed log-ins with this username from your address.', waitSeconds)
}
