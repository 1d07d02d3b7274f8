export interface RequestTables {
  /** Facts about the installation as a whole. */
  installation: {
    name: string
    value: string
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

  /** Attempts at what could be guessed, counted by a digest of who tries what; see `database/attempts.ts`. */
  attempt_counts: {
    subject: Buffer
    count: number
    ends_at: Date
  }
}
