import { dayMs } from '../../platform/foundation/clock.ts'
import type { ParcelReport } from './provider.ts'
import { inOrder } from './scans.ts'

/** Carriers use a number again after months; the legs of one journey follow each other within days. */
const longestPauseMs = 30 * dayMs

/**
 * The newest journey among what a carrier reports under one number: several parcels that had it one after the other, or
 * the legs of one, such as FedEx and then the post. The newest leg says when and where the parcel arrives.
 */
export function joinLegs(reports: readonly ParcelReport[]): ParcelReport | undefined {
  const [newest, ...earlier] = reports.toSorted((left, right) => timeOf(right, -1) - timeOf(left, -1))
  if (newest === undefined) return undefined
  const legs = [newest]
  let startsAt = timeOf(newest, 0)
  for (const leg of earlier) {
    if (leg.scans.length === 0 || startsAt - timeOf(leg, -1) > longestPauseMs) break
    // A number that is announced after a delivery is another parcel's.
    if (isDelivered(leg) && isAnnounced(legs[0]) && timeOf(leg, -1) < startsAt) break
    legs.unshift(leg)
    startsAt = Math.min(startsAt, timeOf(leg, 0))
  }
  if (legs.length === 1) return newest
  const senderName = legs.find((leg) => leg.senderName !== undefined)?.senderName
  const scans = inOrder(
    legs.flatMap((leg) => leg.scans),
    'oldest first',
  )
  return { ...newest, scans, ...(senderName === undefined ? {} : { senderName }) }
}

/** The time of the first or the last scan; a report without scans is older than all others. */
function timeOf({ scans }: ParcelReport, index: 0 | -1): number {
  return scans.at(index)?.time.getTime() ?? 0
}

function isDelivered({ scans }: ParcelReport): boolean {
  return scans.some(({ eventName }) => eventName?.startsWith('SUCCESSFULLY_') === true)
}

function isAnnounced(report: ParcelReport | undefined): boolean {
  return report?.scans[0]?.eventName === 'PARCEL_DATA_SUBMITTED_TO_CARRIER'
}
