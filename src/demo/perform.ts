import type { Context } from '../foundation/context.ts'
import type { Operation } from '../foundation/operation.ts'

/** Has an operation of the API done in process: what a request with this body would do. */
export async function perform(context: Context, operation: Operation, body: unknown): Promise<void> {
  await operation.handle(context, { path: {}, query: {}, body, upload: undefined })
}
