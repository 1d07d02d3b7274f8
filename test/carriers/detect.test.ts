import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectCarriers } from '../../src/carriers/detect.ts'
import { formats } from '../../src/carriers/formats/formats.ts'
import { findCarrier } from '../../src/carriers/registry.ts'

/**
 * Numbers in the carriers' published formats. Their check digits were made apart from the code under test, and those
 * noted as published examples by the carriers or by tracking_number_data. Expected is a carrier, `not` one, or `none`.
 */
const numbers = readFileSync(new URL('numbers.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [trackingNumber = '', countryCode = '', expected = '', note = ''] = line.split(',')
    return { trackingNumber, countryCode: countryCode || undefined, expected, note }
  })

describe('carrier detection', () => {
  it('puts the right carrier first for at least 98 of 100 numbers', () => {
    const judged = numbers.map((row) => ({ ...row, answered: firstOf(row.trackingNumber, row.countryCode) }))
    const misses = judged.filter(({ expected, answered }) => !isRight(expected, answered))
    const share = 1 - misses.length / judged.length
    console.log(`${judged.length} numbers, ${(share * 100).toFixed(1)} of 100 right first\n${confusionTable(misses)}`)
    expect(judged.length).toBeGreaterThanOrEqual(250)
    expect(share).toBeGreaterThanOrEqual(0.98)
  })

  it('is no surer of a number that fits several carriers than of one that fits one', () => {
    const [sure] = detectCarriers({ trackingNumber: '1Z5R89390357567127' })
    const [unsure, second] = detectCarriers({ trackingNumber: '012345678901' })
    expect(sure?.confidence).toBeGreaterThan(0.95)
    expect(unsure?.confidence).toBeLessThan(0.5)
    expect(second).toBeDefined()
  })

  it('lets the country decide between carriers that share a format', () => {
    const trackingNumber = '47581236985'
    expect(firstOf(trackingNumber, 'DE')).toBe('gls')
    expect(firstOf(trackingNumber, 'CZ')).toBe('ppl')
    expect(firstOf(trackingNumber, 'BG')).toBe('speedy')
    expect(detectCarriers({ trackingNumber, countryCode: 'US', originCountryCode: 'BG' })[0]?.reason).toBe(
      '11 digits, usual in BG',
    )
  })

  it("lets the shop's history decide where the country does not", () => {
    const trackingNumber = '47581236985'
    const history = new Map([
      ['ppl', 0.1],
      ['gls', 0.9],
    ])
    const [best] = detectCarriers({ trackingNumber, countryCode: 'CZ', history })
    expect(best).toMatchObject({ carrier_reference: 'gls', reason: expect.stringContaining('90 % of this shop') })
  })

  it('shares one probability among the candidates, best first', () => {
    for (const { trackingNumber, countryCode } of numbers) {
      const confidences = detectCarriers({ trackingNumber, countryCode }).map(({ confidence }) => confidence)
      expect(confidences).toEqual([...confidences].sort((left, right) => right - left))
      // Each is rounded to a hundredth, so a sum of many may be off by a few.
      expect(confidences.reduce((sum, confidence) => sum + confidence, 0)).toBeLessThan(1.05)
    }
  })

  it('answers any text at all, and never with more than certainty', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 2 }), (trackingNumber, countryCode) => {
        for (const { confidence } of detectCarriers({ trackingNumber, countryCode })) {
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('knows formats of catalogued carriers only, each held to the whole number', () => {
    for (const { carrier, pattern, shape, strength } of formats) {
      expect(findCarrier(carrier), carrier).toBeDefined()
      expect(pattern.source.startsWith('^') && pattern.source.endsWith('$'), shape).toBe(true)
      expect(strength).toBeGreaterThan(0)
      expect(strength).toBeLessThan(1)
    }
  })

  it('reads a number however it is printed', () => {
    for (const trackingNumber of ['1z 5r8 939 03 5756 7127', '1Z-5R8-939-03-5756-7127', ' 1Z5R8939.0357567127 ']) {
      expect(firstOf(trackingNumber)).toBe('ups')
    }
  })
})

function firstOf(trackingNumber: string, countryCode?: string): string {
  return detectCarriers({ trackingNumber, countryCode })[0]?.carrier_reference ?? 'none'
}

function isRight(expected: string, answered: string): boolean {
  return expected.startsWith('not ') ? answered !== expected.slice(4) : answered === expected
}

function confusionTable(misses: { expected: string; answered: string; note: string }[]): string {
  const counts = new Map<string, number>()
  for (const { expected, answered, note } of misses) {
    const line = `${expected.padEnd(20)}${answered.padEnd(20)}${note}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const lines = [...counts].map(([line, count]) => `${String(count).padStart(5)}  ${line}`)
  return [`count  ${'expected'.padEnd(20)}${'answered'.padEnd(20)}note`, ...lines].join('\n')
}
