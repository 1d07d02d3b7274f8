/**
 * The audit entry of an operation, declared with it. Every operation that is not a GET records who changed what, unless
 * its declaration gives a reason not to.
 */
export type Audit<Scope, Given> = AuditRule<Scope, Given> | Unaudited

/** Not in the audit log, and why: it changes nothing, or another record of it exists. */
export interface Unaudited {
  none: string
}

export interface AuditRule<Scope, Given> {
  /** Kind of record that it changes, in one word, such as `webhook`. */
  kind: string
  /**
   * Records only changes by hand, from a person's session. Changes by systems are recorded elsewhere, and cost no
   * further transaction or statement.
   */
  only?: 'by hand'
  /** An entry of the installation although the path names a shop. */
  scope?: 'installation'
  /**
   * Id of the record that it changes. Default: the last parameter of the path, else the end of the `Location`, else
   * `uuid` or `id` of the reply. Without a reply, the operation has not run yet; undefined: the record has no id
   * before.
   */
  id?(context: Scope, input: Given, reply: AuditedReply | undefined): string | undefined
  /** The record, read before and after; the fields that differ are recorded. Absent: only the act is recorded. */
  read?(context: Scope, id: string, input: Given): Promise<object | undefined>
  /** The parts of the record that concern single shops, by shop id. Each shop's log gets an entry about its part. */
  readOfShops?(context: Scope, id: string): Promise<ReadonlyMap<string, object>>
  /** The field of the record that people know it by. Default: `name`. */
  named?: string
  /** An act, which is recorded even if no field of the record changes. */
  isAct?: boolean
  /**
   * Recorded after the operation, without a transaction around both: the operation changes nothing, such as an export,
   * or it counts failed attempts, which must not be rolled back.
   */
  isRecordedAfter?: boolean
  /** Further details to record of an act, such as the number of records that it changed. */
  outcome?(context: Scope, input: Given, reply: AuditedReply): object
  /** Fields that may contain customers' data: the log records that they changed, but not their values. */
  personal?: readonly string[]
}

/** Reply of an operation. */
export interface AuditedReply {
  body: unknown
  location: string | undefined
}
