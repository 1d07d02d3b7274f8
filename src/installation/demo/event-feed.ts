import type { ShopContext } from '../../platform/foundation/context.ts'
import { listEvents } from '../../webhooks/event-feed/operations.ts'
import { perform } from './perform.ts'

/** The first reading switches the feed on: it has what the moving parcels of the shop do from now on. */
export async function readEvents(context: ShopContext): Promise<void> {
  await perform(context, listEvents, undefined)
}
