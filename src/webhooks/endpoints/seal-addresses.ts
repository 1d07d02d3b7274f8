import { beginSealing, type Position, sealAtOnce, sealNext } from '../../delivery/queue/sealed-address-store.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import type { Database } from '../../platform/store/database.ts'
import type { Job } from '../../platform/workers/schedule.ts'
import { dropEndpointCredentials } from '../../shops/settings/store.ts'
import { dropStoredCredentials } from '../../shops/shops/store.ts'

/**
 * Seals addresses of webhooks that were stored by version 0.2.0, or while its nodes were running, and removes user names and passwords
 * from the other addresses that it has stored.
 */
export function createSealAddressesJob(engine: Database['engine']): Job {
  return {
    name: 'seal addresses',
    everyMs: 10 * minuteMs,
    runsOn: 'one node',
    async run(context, maxRunMs) {
      await dropCredentials(context)
      // An embedded store has no other nodes.
      if (engine === 'embedded') await sealAtOnce(context)
      else if (!(await beginSealing(context))) return
      await sealAll(context, maxRunMs)
    },
  }
}

/** Nothing uses these credentials, so that older nodes do not miss them. */
function dropCredentials(context: Context): Promise<void> {
  return inTransaction(context, async (context) => {
    for (const { id, slug } of await dropStoredCredentials(context)) {
      await context.services.announce(context, { kind: 'shop', id, slug })
    }
    await dropEndpointCredentials(context)
  })
}

async function sealAll(context: Context, maxRunMs: number): Promise<void> {
  const { clock } = context.services
  const endsAt = clock.now().getTime() + maxRunMs
  let position: Position | undefined
  do position = await sealNext(context, position)
  while (position !== undefined && clock.now().getTime() < endsAt)
}
