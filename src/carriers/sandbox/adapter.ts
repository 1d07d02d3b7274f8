import { after, dayMs, hourMs, secondMs } from '../../foundation/clock.ts'
import { dateIn, dayIn, type TimeWindow } from '../local-time.ts'
import type { ParcelReport, ReportedPickup, ReportedProof, Scan, TrackedParcel, TrackingProvider } from '../provider.ts'
import { readSandboxNumber } from '../sandbox-number.ts'
import { type JourneyScan, journeys } from './journeys.ts'
import { type Place, places } from './places.ts'

/** Simulated parcels for trying things out: everything follows from the number and the clock, without network calls. */
export function createSandbox(): TrackingProvider {
  return {
    name: 'sandbox',
    system: 'Sandbox',
    hosts: [],
    carriers: ['sandbox'],
    // Unlimited, apart from the worker's batch size.
    limit: { requests: 1_000, perMs: secondMs },
    parcelsPerRequest: 100,
    track: async (_call, _account, parcels) => ({
      result: 'found',
      reports: parcels.map(reportOf).filter((report) => report !== undefined),
    }),
    nextScanAt,
  }
}

/** When the first scan after `parcel.now` is due; undefined after the last one, and for other numbers. */
export function nextScanAt(parcel: TrackedParcel): Date | undefined {
  return scheduleOf(parcel)?.find(({ at }) => at > parcel.now)?.at
}

interface Due {
  at: Date
  scan: JourneyScan
}

/** The first scan comes one step after fulfilment, and each further one a step later. */
function scheduleOf({ trackingNumber, fulfilledAt }: TrackedParcel): Due[] | undefined {
  const number = readSandboxNumber(trackingNumber)
  return (
    number &&
    journeys[number.journey].map((scan, index) => ({ at: after(fulfilledAt, (index + 1) * number.stepMs), scan }))
  )
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

/** What some parcels have in the end; the host name is reserved for examples. */
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
