import { formatsFor } from '../../../src/foundation/formats.ts'
import type { ShownParcel } from '../../../src/resources/order-page/parcels.ts'
import { promiseStage } from '../../../src/resources/order-page/promise.ts'
import type { PageOrderRecord } from '../../../src/resources/order-page/store.ts'
import type { Headline, Reading } from './headline.ts'

/**
 * What was promised when the order was placed, beside when it is expected now; undefined if nothing was promised or it no
 * longer matters, such as once a parcel goes back.
 */
export function promiseOf(
  { viewer: { texts, language }, now }: Reading,
  order: Pick<PageOrderRecord, 'promise' | 'country_code' | 'nothing_to_send'>,
  parcels: readonly ShownParcel[],
  { when }: Pick<Headline, 'when'>,
): string | undefined {
  const { promise } = order
  const stage = promiseStage(now, order, parcels)
  if (promise === null || stage === undefined) return undefined
  const formats = formatsFor(language, 'UTC')
  const [earliest, latest] = [noonOf(promise.earliest ?? promise.latest), noonOf(promise.latest)]
  if (stage !== 'open') return texts.say(`promise.${stage}`, { day: formats.day(latest) })
  // Where nothing else says when it comes, the whole window is told.
  if (when === undefined && promise.earliest !== null) {
    return texts.say('promise.window', { days: formats.days(earliest, latest) })
  }
  return texts.say('promise.by', { day: formats.day(latest) })
}

function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}
