import type { Context } from '../platform/foundation/context.ts'
import type { Operation } from '../platform/foundation/operation.ts'

/**
 * Handles an operation on the database that it may read: a standby if it may be seconds old, else the primary. If the
 * standby fails, the primary does it again, which is harmless because such an operation only reads.
 */
export async function onItsDatabase<Result>(
  { method, reads }: Pick<Operation, 'method' | 'reads'>,
  context: Context,
  handle: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { replicas } = context.services
  if (replicas === undefined) return handle(context)
  const { keyId } = context.principal
  if (method !== 'GET') {
    const result = await handle(context)
    await replicas.noteWrite(keyId)
    return result
  }
  const reader = reads === 'replica' ? replicas.readerFor(keyId) : undefined
  if (reader === undefined) return handle(context)
  try {
    return await handle({ ...context, db: reader.db, isFromReplica: true })
  } catch (error) {
    if (!reader.hasFailed(error)) throw error
    return handle(context)
  }
}
