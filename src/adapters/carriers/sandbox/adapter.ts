import { after, dayMs, hourMs } from '../../../platform/foundation/clock.ts'
import { dateIn, dayIn, type TimeWindow } from '../local-time.ts'
import type { AdapterWith, ParcelReport, ReportedPickup, ReportedProof, Scan, TrackedParcel } from '../provider.ts'
import { type Place, places } from './places.ts'
import { type Due, scheduleOf } from './schedule.ts'

export function create(): AdapterWith {
  return {
    track: async (_call, _account, parcels) => ({
      result: 'found',
      reports: parcels.map(reportOf).filter((report) => report !== undefined),
    }),
  }
}

function reportOf(parcel: TrackedParcel): ParcelReport | undefined {
  const schedule = scheduleOf(parcel)
  if (schedule === undefined) return undefined
  const past = schedule.filter(({ at }) => at <= parcel.now)
  const expectedDelivery = expectedOf(schedule, past)
  const pickup = pickupOf(past)
  const proof = proofs.get(past.at(-1)?.scan.eventName ?? '')
  return {
    trackingNumber: parcel.trackingNumber,
    carrierReference: 'sandbox',
    carrierName: 'Sandbox Parcel Service',
    // A host name reserved for examples.
    trackingLink: `https://sandbox.example/parcels/${encodeURIComponent(parcel.trackingNumber)}`,
    scans: past.map(toScan),
    ...(expectedDelivery === undefined ? {} : { expectedDelivery }),
    ...(pickup === undefined ? {} : { pickup }),
    ...(proof === undefined ? {} : { proof }),
  }
}

/** Proofs of delivery, by the last event. The host name is reserved for examples. */
const proofs = new Map<string, ReportedProof>([
  ['SUCCESSFULLY_DELIVERED', { receivedBy: 'A. Example', signatureUrl: 'https://sandbox.example/signatures/1' }],
  [
    'SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX',
    { place: 'Letter box', pictureUrl: 'https://sandbox.example/pictures/1' },
  ],
])

function toScan({ at, scan }: Due): Scan {
  const { location, timezone }: Place = places[scan.place]
  return { code: scan.eventName, text: scan.text, eventName: scan.eventName, time: at, timezone, location }
}

/** Two days, then one day, then three hours around the scan of the expected delivery. */
function expectedOf(schedule: readonly Due[], past: readonly Due[]): TimeWindow | undefined {
  const expects = past.map(({ scan }) => scan.expects).findLast((value) => value !== undefined)
  const expectedWith = past.map(({ scan }) => scan.expectedWith).findLast((value) => value !== undefined)
  const target = expectedWith === undefined ? schedule.at(-1) : schedule[expectedWith]
  if (expects === undefined || expects === 'nothing' || target === undefined) return undefined
  const { timezone } = places[target.scan.place]
  const day = dayIn(timezone, dateIn(timezone, target.at))
  if (day === undefined || expects === 'day') return day
  if (expects === 'days') return { start: day.start, end: after(new Date(day.end), dayMs).toISOString() }
  const hour = new Date(Math.floor(target.at.getTime() / hourMs) * hourMs)
  return { start: after(hour, -hourMs).toISOString(), end: after(hour, 2 * hourMs).toISOString() }
}

/** A parcel stays in a locker for a week. */
function pickupOf(past: readonly Due[]): ReportedPickup | undefined {
  const arrived = past.findLast(({ scan }) => scan.pickup !== undefined)
  const pickup = arrived?.scan.pickup
  if (arrived === undefined || pickup?.type !== 'locker') return pickup
  return { ...pickup, date_to: dateIn(places[arrived.scan.place].timezone, after(arrived.at, 7 * dayMs)) }
}
