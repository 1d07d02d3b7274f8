import type { ShownParcel } from '../../customer-view/order-page/parcels.ts'
import { isComing, promiseStage } from '../../customer-view/order-page/promise.ts'
import type { PageOrderRecord } from '../../customer-view/order-page/store.ts'
import { formatsFor } from '../../platform/foundation/formats.ts'
import type { Reader } from './parcels.ts'
import type { MailPromise } from './view.ts'

/** The promise for an order that is still on its way, in the customer's language; null otherwise. */
export function toMailPromise(
  { language, now }: Pick<Reader, 'language' | 'now'>,
  order: Pick<PageOrderRecord, 'promise' | 'country_code' | 'nothing_to_send'>,
  parcels: readonly ShownParcel[],
  subject: ShownParcel | undefined,
): MailPromise | null {
  const { promise } = order
  // A message about one that has arrived says nothing of those that have not.
  if (subject !== undefined && !isComing(subject)) return null
  const stage = promiseStage(now, order, parcels)
  if (promise === null || stage === undefined || stage === 'kept' || stage === 'broken') return null
  const formats = formatsFor(language, 'UTC')
  const latest = noonOf(promise.latest)
  return { stage, days: formats.days(noonOf(promise.earliest ?? promise.latest), latest), by: formats.day(latest) }
}

function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}
