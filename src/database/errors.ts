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

/** Connections that were refused, cut or timed out, and a server that is starting, stopping or full. */
const unreachable = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08|57P0[1-3]|53300)/

/** Whether the store could not be reached, or the connection to it broke. */
export function isStoreUnreachable(error: unknown): boolean {
  const { code, message, errors } = (error ?? {}) as { code?: string; message?: string; errors?: unknown[] }
  // If a name has several addresses, each has failed for a reason of its own.
  if (Array.isArray(errors) && errors.some(isStoreUnreachable)) return true
  if (code !== undefined) return unreachable.test(code)
  // The driver's own errors have no code.
  return /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client (was closed|has encountered))/.test(
    message ?? '',
  )
}
