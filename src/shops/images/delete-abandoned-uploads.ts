import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { Job } from '../../platform/workers/schedule.ts'
import { deleteImage, listExpiredImages } from './store.ts'

const batchSize = 200

/** A form that was being sent when its uploads expired is processed long before this. */
const graceMs = hourMs

/** Removes photos and signatures of forms that were never sent. */
export const deleteAbandonedUploadsJob: Job = {
  name: 'abandoned uploads',
  everyMs: hourMs,
  runsOn: 'one node',
  async run(context) {
    const before = after(context.now, -graceMs)
    for (;;) {
      const expired = await listExpiredImages(context, before, batchSize)
      for (const { shop_id, key } of expired) {
        // The bytes first: without the row they could not be found.
        await context.services.imageStore.delete(key)
        await deleteImage(context, shop_id, key)
      }
      if (expired.length < batchSize) return
    }
  },
}
