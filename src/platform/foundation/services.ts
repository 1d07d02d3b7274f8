import type { Caches, Change } from './caches.ts'
import type { Call } from './call.ts'
import type { Clock } from './clock.ts'
import type { Metrics } from './metrics.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { Tracing } from './tracing.ts'
import type { CommitScope } from './transaction.ts'
import type { Vault } from './vault.ts'

/**
 * Services of the process for every operation; created once at start, and frozen. A module that adds a service of its
 * own declares it beside that service, by merging into this interface.
 */
export interface Services {
  readonly clock: Clock
  /** For what is stored. */
  readonly vault: Vault
  /** For what is signed or hashed, and for what is sent out. */
  readonly signing: SigningKeys
  readonly caches: Caches
  /** Invalidates what the caches of every node have of the changed thing. Takes effect at commit. */
  announce(scope: CommitScope, change: Change): Promise<void>
  /** The address customers and merchants reach this service at, without a final slash. */
  readonly publicUrl: string
  /** Calls another company's server, with the same address checks as deliveries; only from operations that `callsOut`. */
  readonly call: Call
  /** Hosts beside each company's own that its credentials may be sent to, from CREDENTIAL_HOSTS. */
  readonly credentialHosts: readonly string[]
  readonly isProduction: boolean
  readonly metrics: Metrics
  /** Undefined if tracing is off. */
  readonly tracing: Tracing | undefined
}
