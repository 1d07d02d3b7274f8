import { describe, expect, it } from 'vitest'
import { chooseCarrier } from '../../../src/adapters/carriers/choose.ts'
import type { ParcelReport, TrackedParcel } from '../../../src/adapters/carriers/provider.ts'
import { openProvider } from '../../../src/adapters/carriers/registry.ts'
import { sandbox } from '../../../src/adapters/carriers/sandbox/description.ts'
import { nextScanAt } from '../../../src/adapters/carriers/sandbox/schedule.ts'
import { readSandboxNumber, sandboxJourneys } from '../../../src/adapters/carriers/sandbox-number.ts'
import { findMeaning } from '../../../src/platform/catalogue/catalogue.ts'
import { parcelOf } from './parcels.ts'
import { call, describeProvider } from './provider-suite.ts'

const fulfilledAt = new Date('2026-11-02T08:00:00Z')
const stepMs = 3_600_000
const account = { shopId: 'shop', credentials: {} }

/** A sandbox parcel that many scans after it was fulfilled. */
function after(journey: string, scans: number): TrackedParcel {
  const now = new Date(fulfilledAt.getTime() + scans * stepMs)
  return parcelOf('sandbox', `SBX-${journey}-1H-demo`, { fulfilledAt, now })
}

async function reportAfter(journey: string, scans: number): Promise<ParcelReport> {
  const response = await openProvider(sandbox).track(call, account, [after(journey, scans)])
  const report = response.result === 'found' ? response.reports[0] : undefined
  if (report === undefined) throw new Error('no report')
  return report
}

describeProvider({
  create: () => openProvider(sandbox),
  credentials: {},
  parcel: after('DELIVERED', 1),
  unknownParcel: parcelOf('sandbox', 'SBX-SOMEWHERE-1H-demo'),
  entries: [],
  report: {
    trackingNumber: 'SBX-DELIVERED-1H-demo',
    carrierReference: 'sandbox',
    carrierName: 'Sandbox Parcel Service',
    trackingLink: 'https://sandbox.example/parcels/SBX-DELIVERED-1H-demo',
    scans: [
      {
        code: 'PARCEL_DATA_SUBMITTED_TO_CARRIER',
        eventName: 'PARCEL_DATA_SUBMITTED_TO_CARRIER',
        text: 'The shipment was announced electronically',
        time: new Date('2026-11-02T09:00:00Z'),
        timezone: 'Europe/Berlin',
        location: {
          city: 'Hamburg',
          country: 'Germany',
          country_code: 'DE',
          postal_code: '21129',
          place: 'Parcel centre Hamburg',
          latitude: 53.5321,
          longitude: 9.8789,
        },
      },
    ],
  },
})

describe.each(sandboxJourneys)('sandbox journey %s', (journey) => {
  it('has 8 to 14 scans of the catalogue, a step apart, each at a place with coordinates', async () => {
    const { scans } = await reportAfter(journey, 100)
    expect(scans.length).toBeGreaterThanOrEqual(8)
    expect(scans.length).toBeLessThanOrEqual(14)
    for (const [index, { eventName, time, timezone, location }] of scans.entries()) {
      expect(findMeaning(eventName ?? ''), eventName).toBeDefined()
      expect(time.getTime()).toBe(fulfilledAt.getTime() + (index + 1) * stepMs)
      expect(() => new Intl.DateTimeFormat('en', { timeZone: timezone ?? '' })).not.toThrow()
      expect(location?.latitude).toBeGreaterThan(40)
      expect(location?.longitude).toBeGreaterThan(0)
    }
  })

  it('reports one more scan with each step, and its time', async () => {
    expect((await reportAfter(journey, 0)).scans).toEqual([])
    const { length } = (await reportAfter(journey, 100)).scans
    for (let count = 0; count <= length; count += 1) {
      expect((await reportAfter(journey, count)).scans).toHaveLength(count)
      const next = new Date(fulfilledAt.getTime() + (count + 1) * stepMs)
      expect(nextScanAt(after(journey, count))).toEqual(count < length ? next : undefined)
    }
  })

  it('narrows the expected delivery, and has none in the end', async () => {
    const { length } = (await reportAfter(journey, 100)).scans
    const widths: number[] = []
    for (let count = 0; count <= length; count += 1) {
      const window = (await reportAfter(journey, count)).expectedDelivery
      if (window) widths.push(Date.parse(window.end) - Date.parse(window.start))
    }
    expect(widths.length).toBeGreaterThan(2)
    expect(Math.min(...widths)).toBeLessThan(Math.max(...widths))
    expect(widths.every((width) => width > 0)).toBe(true)
    expect(await reportAfter(journey, 1)).not.toHaveProperty('expectedDelivery')
    expect(await reportAfter(journey, length)).not.toHaveProperty('expectedDelivery')
  })
})

describe('sandbox journey', () => {
  it.each([
    ['DELIVERED', 'delivered', 'normal'],
    ['DELAYED', 'delivered', 'normal'],
    ['LOST', 'delivery_failed', 'error'],
    ['RETURNED', 'returned', 'normal'],
    ['NEIGHBOR', 'delivered', 'normal'],
    ['LOCKER', 'delivered', 'normal'],
    ['FAILED', 'delivery_failed', 'error'],
    ['LETTERBOX', 'delivered', 'normal'],
  ])('%s ends as %s', async (journey, phase, flag) => {
    const last = (await reportAfter(journey, 100)).scans.at(-1)
    expect(findMeaning(last?.eventName ?? '')).toMatchObject({ phase, flag })
  })

  it('of a delay is flagged on its way', async () => {
    const { scans } = await reportAfter('DELAYED', 100)
    expect(scans.map(({ eventName }) => findMeaning(eventName ?? '')?.flag)).toContain('delay')
  })

  it('has a proof of its delivery in the end, and no earlier', async () => {
    expect((await reportAfter('DELIVERED', 100)).proof).toMatchObject({ receivedBy: 'A. Example' })
    expect((await reportAfter('LETTERBOX', 100)).proof).toMatchObject({ place: 'Letter box' })
    for (const journey of ['DELIVERED', 'LETTERBOX']) expect((await reportAfter(journey, 5)).proof).toBeUndefined()
    expect((await reportAfter('RETURNED', 100)).proof).toBeUndefined()
  })

  it('names the neighbour, the locker with its hours and its last day, and the letter box', async () => {
    expect((await reportAfter('NEIGHBOR', 100)).pickup).toMatchObject({ type: 'neighbor', name: 'Familie Schneider' })
    expect((await reportAfter('LETTERBOX', 100)).pickup).toEqual({ type: 'letterbox' })
    const { pickup } = await reportAfter('LOCKER', 8)
    expect(pickup).toMatchObject({ type: 'locker', date_to: '2026-11-09', opening_hours: { sunday: '00:00-24:00' } })
    expect(await reportAfter('LOCKER', 7)).not.toHaveProperty('pickup')
  })

  it('expects another day after a delay', async () => {
    const before = (await reportAfter('DELAYED', 4)).expectedDelivery
    const then = (await reportAfter('DELAYED', 5)).expectedDelivery
    expect(Date.parse(then?.end ?? '')).toBeGreaterThan(Date.parse(before?.end ?? ''))
  })
})

describe('sandbox number', () => {
  it.each([
    ['SBX-DELIVERED-1S-demo', 'DELIVERED', 1_000],
    ['sbx-lost-60s-4711', 'LOST', 60_000],
    ['SBX-NEIGHBOR-1H-2', 'NEIGHBOR', 3_600_000],
    ['SBX-LETTERBOX-15M-x-y-z', 'LETTERBOX', 900_000],
    ['SBX-FAILED-99999S-1', 'FAILED', 99_999_000],
    ['SBX-LOCKER-99H-1', 'LOCKER', 356_400_000],
  ])('%s is %s in steps of %i ms, and detected as the sandbox’s', (trackingNumber, journey, stepMs) => {
    expect(readSandboxNumber(trackingNumber)).toEqual({ journey, stepMs })
    expect(chooseCarrier({ trackingNumber }).reference).toBe('sandbox')
    expect(chooseCarrier({ trackingNumber, countryCode: 'JP', history: new Map([['dhl', 1]]) }).reference).toBe(
      'sandbox',
    )
  })

  it.each([
    'SBX',
    'SBX-DELIVERED',
    'SBX-DELIVERED-1S',
    'SBX-DELIVERED-1S-',
    'SBX-DELIVERED-0S-1',
    'SBX-DELIVERED-01S-1',
    'SBX-DELIVERED-1.5S-',
    'SBX-DELIVERED--1S-',
    'SBX-DELIVERED-1D-1',
    'SBX-DELIVERED-S-1',
    'SBX-DELIVERED-100000S-1',
    'SBX-DELIVERED-100H-1',
    'SBX-SOMEWHERE-1S-1',
    'XSBX-DELIVERED-1S-1',
  ])('is not %s', (trackingNumber) => {
    expect(readSandboxNumber(trackingNumber)).toBeUndefined()
    expect(chooseCarrier({ trackingNumber }).reference).not.toBe('sandbox')
    expect(nextScanAt(parcelOf('sandbox', trackingNumber))).toBeUndefined()
  })
})
