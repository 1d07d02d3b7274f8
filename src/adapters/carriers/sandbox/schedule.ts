import { after } from '../../../platform/foundation/clock.ts'
import type { TrackedParcel } from '../provider.ts'
import { readSandboxNumber } from '../sandbox-number.ts'
import { type JourneyScan, journeys } from './journeys.ts'

/** When the first scan after `parcel.now` is due; undefined after the last one, and for other numbers. */
export function nextScanAt(parcel: TrackedParcel): Date | undefined {
  return scheduleOf(parcel)?.find(({ at }) => at > parcel.now)?.at
}

export interface Due {
  at: Date
  scan: JourneyScan
}

/** The first scan comes one step after fulfilment, and each further one a step later. Undefined for other numbers. */
export function scheduleOf({ trackingNumber, fulfilledAt }: TrackedParcel): Due[] | undefined {
  const number = readSandboxNumber(trackingNumber)
  return (
    number &&
    journeys[number.journey].map((scan, index) => ({ at: after(fulfilledAt, (index + 1) * number.stepMs), scan }))
  )
}
