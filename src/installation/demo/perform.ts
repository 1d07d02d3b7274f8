import type { Context } from '../../platform/foundation/context.ts'
import type { Operation } from '../../platform/foundation/operation.ts'

/** Runs an API operation in process, like a request with this body. */
export async function perform(context: Context, operation: Operation, body: unknown, path = {}): Promise<void> {
  await operation.handle(context, { path, query: {}, body, upload: undefined })
}
