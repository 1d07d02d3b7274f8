import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** The scope in which statements run: a connection pool, or one open transaction. */
export interface CommitScope {
  db: Kysely<Tables>
  /** Present inside a transaction: calls to make once it is committed. */
  afterCommit?: (() => void)[]
}

/**
 * Runs the work in one transaction and passes it a new context; only that context may be used inside.
 * Inside another transaction it joins that one.
 */
export async function inTransaction<Given extends CommitScope, Result>(
  context: Given,
  work: (context: Given) => Promise<Result>,
): Promise<Result> {
  if (context.afterCommit) return work(context)
  const afterCommit: (() => void)[] = []
  const result = await context.db
    .transaction()
    .execute((db: Transaction<Tables>) => work({ ...context, db, afterCommit }))
  for (const act of afterCommit) act()
  return result
}

/** Acts now, or inside a transaction when it is committed; never if it is rolled back. */
export function onceCommitted(context: CommitScope, act: () => void): void {
  if (context.afterCommit) context.afterCommit.push(act)
  else act()
}
