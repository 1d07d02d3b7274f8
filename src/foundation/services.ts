import type { Call } from './call.ts'
import type { Clock } from './clock.ts'
import type { Vault } from './crypto.ts'
import type { Tracing } from './tracing.ts'
import type { CommitScope } from './transaction.ts'

/**
 * What the process lends to every operation; made once at start, and frozen. A module that adds a service of its
 * own declares it beside that service, by merging into this interface.
 */
export interface Services {
  readonly clock: Clock
  readonly vault: Vault
  /** Tells every node, this one first, that something it may have cached has changed. Takes effect at commit. */
  announce(scope: CommitScope, change: Change): Promise<void>
  /** The address customers and merchants reach this service at, without a final slash. */
  readonly publicUrl: string
  readonly imageStore: ImageStore
  /** Calls another company's server, under the guard that deliveries have; only from operations that `callsOut`. */
  readonly call: Call
  /** Hosts beside each company's own that its credentials may be sent to, as CREDENTIAL_HOSTS has them. */
  readonly credentialHosts: readonly string[]
  readonly isProduction: boolean
  /** Undefined while nobody collects traces. */
  readonly tracing: Tracing | undefined
}

export type Change =
  | { kind: 'key'; id: string }
  | { kind: 'shop'; id: string; slug: string }
  | { kind: 'automations'; shopId: string }
  | { kind: 'tracking'; shopId: string }

/** Where uploaded images lie: a folder, or an S3-compatible store. */
export interface ImageStore {
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>
  get(key: string): Promise<Uint8Array | undefined>
  delete(key: string): Promise<void>
}
