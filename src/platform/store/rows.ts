import type { Generated } from 'kysely'

declare module '../foundation/tables.ts' {
  interface Tables {
    job_runs: {
      name: string
      started_at: Date
      every_ms: number | null
      finished_at: Date | null
      failed_at: Date | null
      failure: string | null
    }
    /** Facts about the installation as a whole. */
    installation: {
      name: string
      value: string
    }
    /** Keys that sign addresses and digests; sealed. */
    signing_keys: {
      id: string
      sealed: Buffer
      created_at: Date
      /** A minute later than it was made, when every node knows it. */
      signs_from: Date
      /** Null: until it is replaced. */
      valid_until: Date | null
    }
    /** Keys with which a shop's former installations have signed for it; sealed. */
    moved_signing_keys: {
      shop_id: string
      id: string
      sealed: Buffer
      valid_until: Date | null
    }
    /** The first response to each Idempotency-Key. */
    idempotent_requests: {
      /** The nil UUID for operations outside a shop. */
      shop_id: string
      key_id: string
      idempotency_key: string
      request_hash: Buffer
      status: number
      headers: unknown
      body: string
      created_at: Date
    }
    /** Attempts at guessing, counted by a digest of the limit and the subject; see `platform/store/attempts.ts`. */
    attempt_counts: {
      subject: Buffer
      count: number
      ends_at: Date
    }
    /** The processes that run on this store. */
    service_nodes: {
      id: string
      host: string
      pid: number
      role: string
      version: string
      started_at: Date
      seen_at: Date
      /** The edition of the event catalogue that it has; 0 up to version 0.3.0. */
      catalogue_edition: Generated<number>
    }
  }
}
