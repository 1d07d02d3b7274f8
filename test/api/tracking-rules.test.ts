import { describe, expect, it } from 'vitest'
import { after, dayMs, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import {
  accountPause,
  carriersOf,
  chooseProvider,
  isOfThisJourney,
  nextPoll,
  type ProviderState,
  paceOf,
  parcelPause,
} from '../../src/tracking/scans/rules.ts'

function provider(name: ProviderState['name'], fields: Partial<ProviderState> = {}): ProviderState {
  return {
    name,
    kind: name === 'aftership' || name === 'easypost' ? 'aggregator' : 'carrier',
    carriers: ['dhl', 'ups'],
    status: 'live',
    enabledCarriers: [],
    disabledCarriers: [],
    hasCredentials: true,
    hasWebhookSecret: false,
    ...fields,
  }
}

describe('provider of a carrier', () => {
  const chosen = (...providers: ProviderState[]) => chooseProvider('dhl', providers)?.name

  it.each<[string, string | undefined, ProviderState[]]>([
    ['none, where there is none', undefined, []],
    ['one that takes all', 'aftership', [provider('aftership')]],
    ["the carrier's own system before one that asks many", 'dhl', [provider('aftership'), provider('dhl')]],
    [
      'one that names it before one that takes all',
      'aftership',
      [provider('dhl'), provider('aftership', { enabledCarriers: ['dhl'] })],
    ],
    [
      'the own system where both name it',
      'dhl',
      [provider('easypost', { enabledCarriers: ['dhl'] }), provider('dhl', { enabledCarriers: ['dhl'] })],
    ],
    ['none that names others only', undefined, [provider('dhl', { enabledCarriers: ['ups'] })]],
    [
      'none that disables it, though it names it',
      undefined,
      [provider('dhl', { enabledCarriers: ['dhl'], disabledCarriers: ['dhl'] })],
    ],
    ['none that cannot follow it', undefined, [provider('ups', { carriers: ['ups'], enabledCarriers: ['dhl'] })]],
    ['none that is disabled', undefined, [provider('dhl', { status: 'disabled' })]],
    ['none without credentials', 'easypost', [provider('dhl', { hasCredentials: false }), provider('easypost')]],
    [
      'one that is live before one that is tested',
      'easypost',
      [provider('dhl', { status: 'testing' }), provider('easypost')],
    ],
    ['one that is tested, where it is alone', 'dhl', [provider('dhl', { status: 'testing' })]],
  ])('is %s', (_name, expected, providers) => {
    expect(chosen(...providers)).toBe(expected)
    expect(chosen(...[...providers].reverse())).toBe(expected)
  })

  it('is unique: together the providers track every carrier once', () => {
    const providers = [
      provider('dhl', { carriers: ['dhl'] }),
      provider('ups', { carriers: ['ups'] }),
      provider('aftership', { carriers: ['dhl', 'ups', 'gls'] }),
    ]
    expect(carriersOf('dhl', providers)).toEqual(['dhl'])
    expect(carriersOf('ups', providers)).toEqual(['ups'])
    expect(carriersOf('aftership', providers)).toEqual(['gls'])
  })
})

describe('next poll of a parcel', () => {
  const now = new Date('2026-11-10T12:00:00Z')
  const poll = (fields: Partial<Parameters<typeof nextPoll>[0]>) =>
    nextPoll({
      phase: 'in_transit',
      fulfilledAt: after(now, -dayMs),
      endedAt: null,
      isPushed: false,
      now,
      jitter: 0,
      ...fields,
    })
  const pause = (fields: Partial<Parameters<typeof nextPoll>[0]>) => poll(fields).nextPollAt.getTime() - now.getTime()

  it.each([
    ['in_delivery', 10 * minuteMs],
    ['in_transit', 3 * hourMs],
    ['return_transit', 3 * hourMs],
    ['delivery_failed', 3 * hourMs],
    ['collect', 6 * hourMs],
    ['order_processed', 12 * hourMs],
    ['return_created', 12 * hourMs],
  ])('follows its phase: %s', (phase, expected) => {
    expect(pause({ phase })).toBe(expected)
    const late = pause({ phase, jitter: 1 })
    expect(late).toBeGreaterThan(expected)
    expect(late).toBeLessThanOrEqual(expected * 1.1 + 1)
  })

  it('is a day later if no carrier has scanned it for two days', () => {
    expect(pause({ phase: 'order_processed', fulfilledAt: after(now, -3 * dayMs) })).toBe(dayMs)
  })

  it('is twelve hours later if the provider pushes', () => {
    for (const phase of ['in_delivery', 'in_transit', 'collect'])
      expect(pause({ phase, isPushed: true })).toBe(12 * hourMs)
  })

  it.each(['delivered', 'returned', 'return_received', 'order_cancelled'])('is a last one a day after %s', (phase) => {
    const first = poll({ phase })
    expect(first).toEqual({ nextPollAt: after(now, dayMs), endedAt: now, isFinished: false })
    const early = poll({ phase, endedAt: after(now, -hourMs) })
    expect(early).toMatchObject({ nextPollAt: after(now, 23 * hourMs), isFinished: false })
    expect(poll({ phase, endedAt: after(now, -dayMs) }).isFinished).toBe(true)
    // A later scan has undone the delivery.
    expect(poll({ phase: 'in_transit', endedAt: after(now, -dayMs) })).toMatchObject({
      endedAt: null,
      isFinished: false,
    })
  })

  it('does not exist 90 days after it was sent', () => {
    expect(poll({ fulfilledAt: after(now, -90 * dayMs) }).isFinished).toBe(true)
    expect(poll({ fulfilledAt: after(now, -89 * dayMs) }).isFinished).toBe(false)
  })

  it('is exactly at the time of the next scan, if that is known', () => {
    const nextScanAt = after(now, 1_234)
    expect(poll({ nextScanAt, jitter: 1 })).toEqual({ nextPollAt: nextScanAt, endedAt: null, isFinished: false })
    expect(poll({ nextScanAt: null }).isFinished).toBe(true)
  })
})

describe('pause after failures', () => {
  it('doubles for a parcel each time, up to half a day', () => {
    expect([1, 2, 3].map((failures) => parcelPause(failures, 0))).toEqual([minuteMs, 2 * minuteMs, 4 * minuteMs])
    expect(parcelPause(50, 0)).toBe(12 * hourMs)
  })

  it('doubles for a provider each time, or is as long as it says', () => {
    const pause = (failures: number, retryAfterMs?: number) =>
      accountPause(failures, { jitter: 0, isRejected: false, retryAfterMs })
    expect([1, 2, 3].map((failures) => pause(failures))).toEqual([30 * secondMs, minuteMs, 2 * minuteMs])
    expect(pause(50)).toBe(hourMs)
    expect(pause(1, 2 * hourMs)).toBe(2 * hourMs)
    expect(pause(1, 1)).toBe(30 * secondMs)
    expect(pause(1, 40 * dayMs)).toBe(dayMs)
    expect(accountPause(1, { jitter: 0, isRejected: true })).toBe(15 * minuteMs)
    expect(accountPause(50, { jitter: 0, isRejected: true })).toBe(6 * hourMs)
  })
})

describe('pace of a limit', () => {
  it.each([
    [1, secondMs],
    [6, secondMs],
    [250, dayMs],
    [1_000, minuteMs],
  ])('of %d requests in %d ms is respected in any window', (requests, perMs) => {
    const { burst, intervalMs } = paceOf({ limit: { requests, perMs } })
    // As many as are allowed at once, and then one after the other.
    expect(burst - 1 + Math.ceil(perMs / intervalMs - 1e-9)).toBeLessThanOrEqual(requests)
    expect(burst).toBeGreaterThanOrEqual(1)
  })
})

describe('scan', () => {
  it('belongs to the journey of its parcel', () => {
    const fulfilledAt = new Date('2026-11-10T12:00:00Z')
    const now = after(fulfilledAt, 5 * dayMs)
    const belongs = (ms: number) => isOfThisJourney({ time: after(fulfilledAt, ms) }, fulfilledAt, now)
    expect([-31 * dayMs, -dayMs, 0, 5 * dayMs, 5.5 * dayMs, 7 * dayMs].map(belongs)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ])
  })
})
