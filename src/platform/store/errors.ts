import { StoreUnavailable } from '../foundation/store-unavailable.ts'

/** Whether a write failed because a unique index (any, or the named one) already has the value. */
export function isDuplicate(error: unknown, index?: string): boolean {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23505' && (index === undefined || constraint === index)
}

/** Whether a row could not be deleted because rows of another area refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === '23503'
}

/** Whether a transaction was aborted by a deadlock: the same work can be done again. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === '40P01'
}

/**
 * Connections that were refused, cut or timed out; a server that is starting, stopping or full; and one that has become
 * read-only, because another one is the primary now.
 */
const unreachable =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|08|57P0[1-5]|53300|25006)/

/** The driver's own errors have no code. */
const cut =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered)|Cannot use a pool after)/

/** Whether a statement was prepared before another node migrated its table. Sent again, it is prepared again. */
export function isStalePlan(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as { code?: string; message?: string }
  return code === '0A000' && message.includes('cached plan')
}

/**
 * Whether the server itself reported the error: it was reached. Its codes have five characters; of those of the system,
 * only ones that begin with E do.
 */
export function isFromServer(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: string }
  return /^(?!E)[0-9A-Z]{5}$/.test(code)
}

/**
 * Whether the store could not be reached, the connection to it broke, or it was migrated in this moment: the same can
 * be tried again.
 */
export function isStoreUnreachable(error: unknown): boolean {
  if (isStalePlan(error)) return true
  const { code, message, errors } = (error ?? {}) as { code?: string; message?: string; errors?: unknown[] }
  // If a name has several addresses, each has failed for a reason of its own.
  if (Array.isArray(errors) && errors.some(isStoreUnreachable)) return true
  return code === undefined ? cut.test(message ?? '') : unreachable.test(code)
}

/** Whether a server rejected a write: it is a standby, or the former primary. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === '25006'
}

/** Errors that mean that nothing was done: the server rejected the statement before it began. */
const nothingHappened = /^(ECONNREFUSED|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08001|08004|57P03|53300|25006)/

/** A failure of the connection as StoreUnavailable; every other error as it is. */
export function storeErrorOf(error: unknown, wasSent: boolean): unknown {
  if (error instanceof StoreUnavailable || !isStoreUnreachable(error)) return error
  const { code = '' } = error as { code?: string }
  return new StoreUnavailable(error, wasSent && !nothingHappened.test(code))
}

/** Whether the disk of the store, or of the data folder, has no space left. */
export function isStoreFull(error: unknown): boolean {
  return /^(53100|ENOSPC|EDQUOT)$/.test((error as { code?: string } | undefined)?.code ?? '')
}

/** Whether a statement failed for a reason that passes: the store is gone, full or too busy. The same can be tried again. */
export function isTemporary(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: string }
  return (
    error instanceof StoreUnavailable || isStoreFull(error) || isDeadlock(error) || /^(40001|55P03|57014)$/.test(code)
  )
}
