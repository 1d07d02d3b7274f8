import type { ReportedScan } from '../../adapters/shop-systems/shop-system.ts'
import { hourMs } from '../../platform/foundation/clock.ts'

/** A tracking step as stored with its fulfilment, as JSON. */
export interface ScanSnapshot {
  code: string
  eventName: string
  time: string
}

/** More than any parcel has; bounds what repeated messages can add. */
const maxScans = 100

/**
 * Adds newly reported steps. Shopify reports a step up to three times: as an event, as the fulfilment's state, and with
 * every later change of the order. A state counts once; an event counts unless the same step is known within an hour.
 */
export function withScans(
  known: ScanSnapshot[] | undefined,
  reported: ReportedScan[] | undefined,
): ScanSnapshot[] | undefined {
  if (reported === undefined || reported.length === 0) return known
  const scans = [...(known ?? [])]
  for (const { code, eventName, time, isState } of reported) {
    const same = scans.filter((scan) => scan.eventName === eventName)
    const isKnown = same.some((scan) => isState || Math.abs(Date.parse(scan.time) - time.getTime()) < hourMs)
    if (!isKnown && scans.length < maxScans) scans.push({ code, eventName, time: time.toISOString() })
  }
  return scans
}

/** The steps that were not known before. */
export function newScans(known: ScanSnapshot[] | undefined, next: ScanSnapshot[] | undefined): ScanSnapshot[] {
  return (next ?? []).filter(
    ({ eventName, time }) => !known?.some((scan) => scan.eventName === eventName && scan.time === time),
  )
}
