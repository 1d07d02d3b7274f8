/**
 * What an operation leaves in the audit log, declared with it: who changed what is recorded for every operation that is
 * not a GET, unless it says why not.
 */
export type Audit<Scope, Given> = AuditRule<Scope, Given> | Unaudited

/** Not in the audit log, and why: it changes nothing, or another record of it exists. */
export interface Unaudited {
  none: string
}

export interface AuditRule<Scope, Given> {
  /** What it changes, in one word, such as `webhook`. */
  kind: string
  /**
   * Only changes by hand, from a session of a person. What systems send is recorded elsewhere, and costs nothing more:
   * neither a transaction nor a statement.
   */
  only?: 'by hand'
  /** An entry of the installation although the path names a shop. */
  scope?: 'installation'
  /**
   * Which one it changes. Default: the last parameter of the path, else the end of the `Location`, else `uuid` or `id` of
   * the reply. Without a reply the operation has not run yet; undefined: it has no id before.
   */
  id?(context: Scope, input: Given, reply: AuditedReply | undefined): string | undefined
  /** The record, read before and after; the fields that differ are recorded. Absent: only the act is recorded. */
  read?(context: Scope, id: string, input: Given): Promise<object | undefined>
  /** What of the record concerns single shops, by their ids. The log of each gets an entry of its own about that. */
  readOfShops?(context: Scope, id: string): Promise<ReadonlyMap<string, object>>
  /** The field of the record that people know it by. Default: `name`. */
  named?: string
  /** An act, which is recorded even if no field of the record changes. */
  isAct?: boolean
  /**
   * Recorded after it, without a transaction around both: it changes nothing, such as an export, or it counts failed
   * attempts, which must not be rolled back.
   */
  isRecordedAfter?: boolean
  /** What else to record of an act, such as the number of records that it changed. */
  outcome?(context: Scope, input: Given, reply: AuditedReply): object
  /** Fields that may hold customers' data: that they changed is recorded, and not their values. */
  personal?: readonly string[]
}

/** What an operation returned. */
export interface AuditedReply {
  body: unknown
  location: string | undefined
}
