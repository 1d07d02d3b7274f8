import type { Caches, Change } from './caches.ts'
import type { Call } from './call.ts'
import type { Clock } from './clock.ts'
import type { Vault } from './crypto.ts'
import type { Tracing } from './tracing.ts'
import type { CommitScope } from './transaction.ts'

/**
 * What the process offers to every operation; created once at start, and frozen. A module that adds a service of its own
 * declares it beside that service, by merging into this interface.
 */
export interface Services {
  readonly clock: Clock
  readonly vault: Vault
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
  /** Undefined if tracing is off. */
  readonly tracing: Tracing | undefined
}
