/** Whether a write failed because a unique index, of the given name where one is given, already has the value. */
export function isDuplicate(error: unknown, index?: string): boolean {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23505' && (index === undefined || constraint === index)
}

/** Whether a row could not be deleted because rows of another area refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === '23503'
}

/** Whether a transaction was given up because two waited for each other: the same work can be done again. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === '40P01'
}
