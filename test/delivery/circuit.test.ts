import { describe, expect, it } from 'vitest'
import { circuitPolicy, probePausesMs } from '../../src/delivery/queue/circuit.ts'
import { maxRetries } from '../../src/delivery/queue/retry.ts'
import { dayMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'

describe('circuit of an endpoint', () => {
  it('opens and is probed at the times that the guide names', () => {
    expect(circuitPolicy).toMatchObject({
      failures: 20,
      failingForMs: minuteMs,
      firstProbeMs: 30 * secondMs,
      maxProbeMs: 30 * minuteMs,
      waitsAtMostMs: 7 * dayMs,
    })
    expect(probePausesMs).toEqual([1, 2, 4, 8, 16, 30].map((minutes) => minutes * minuteMs))
  })

  it('is not opened by the attempts of a single delivery', () => {
    expect(circuitPolicy.failures).toBeGreaterThan(1 + maxRetries)
  })
})
