import { sql } from 'kysely'
import type { Change, ChangeFeed } from '../foundation/caches.ts'
import { secondMs } from '../foundation/clock.ts'
import { type CommitScope, onceCommitted } from '../foundation/transaction.ts'
import type { Database } from './database.ts'

const channel = 'doorstep_changes'

/** A change that is never reported, because a connection died unnoticed, is seen after this time. */
const maxTrustMs = 30 * secondMs
/** How long a value is used while no changes are reported. */
const unreportedTrustMs = secondMs / 2

/** Reports changes to the caches of every node. */
export interface Changes extends ChangeFeed {
  /** Part of the transaction of the change: it is reported when that is committed, and only then. */
  announce(scope: CommitScope, change: Change): Promise<void>
}

export async function openChanges(database: Database): Promise<Changes> {
  const handlers: ((change: Change) => void)[] = []
  const report = (change: Change) => {
    for (const handle of handlers) handle(change)
  }
  await database.listen(channel, (payload) => report(JSON.parse(payload) as Change)) // only announce writes here
  return {
    async announce(scope, change) {
      await sql`select pg_notify(${channel}, ${JSON.stringify(change)})`.execute(scope.db)
      onceCommitted(scope, () => report(change))
    },
    onChange: (handle) => handlers.push(handle),
    trustedSince() {
      const now = performance.now()
      const since = database.listeningSince()
      return since === undefined ? now - unreportedTrustMs : Math.max(since, now - maxTrustMs)
    },
  }
}
