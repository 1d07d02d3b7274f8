import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCarrier } from '../../src/adapters/carriers/choose.ts'
import { detectCarriers } from '../../src/adapters/carriers/detect.ts'
import { fittingFormats, formats } from '../../src/adapters/carriers/formats/formats.ts'
import { lengthOf } from '../../src/adapters/carriers/formats/length.ts'
import { CaseCounter } from '../harness/cases.ts'

/**
 * Numbers in the carriers' published formats. Their check digits were made apart from the code under test, and those
 * noted as published examples by the carriers or by tracking_number_data. Expected is a carrier, `not` one, or `none`.
 *
 * Kinds: `check` has a check digit, `form` only a distinctive shape; `ambiguous` fits several carriers, of which the
 * country decides; `shared` is used by several carriers in the same country; `wrong` has a distinctive shape and a
 * wrong check digit; `other` is what must not be taken for a carrier's number.
 */
const numbers = readFileSync(new URL('numbers.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [trackingNumber = '', countryCode = '', expected = '', kind = '', ...note] = line.split(',')
    return { trackingNumber, countryCode: countryCode || undefined, expected, kind, note: note.join(',') }
  })

describe('carrier detection', () => {
  it('puts the right carrier first for at least 98 of 100 numbers', () => {
    const judged = judge(numbers.filter(({ kind }) => kind !== 'shared'))
    expect(judged.count).toBeGreaterThanOrEqual(550)
    expect(judged.share).toBeGreaterThanOrEqual(0.98)
  })

  it.each(['check', 'form'])('puts the right carrier first for at least 97 of 100 numbers of kind %s', (kind) => {
    const ofKind = numbers.filter((row) => row.kind === kind)
    const withCountry = judge(ofKind)
    const withoutCountry = judge(ofKind.map((row) => ({ ...row, countryCode: undefined })))
    expect(withCountry.count).toBeGreaterThanOrEqual(150)
    expect(withCountry.share).toBeGreaterThanOrEqual(0.97)
    expect(withoutCountry.share).toBeGreaterThanOrEqual(0.97)
  })

  it('has the right carrier of an ambiguous number among the first three', () => {
    const ambiguous = numbers.filter(({ kind }) => kind === 'ambiguous' || kind === 'shared')
    expect(ambiguous.length).toBeGreaterThanOrEqual(100)
    for (const { trackingNumber, countryCode, expected } of ambiguous) {
      const candidates = detectCarriers({ trackingNumber, countryCode })
      const firstThree = candidates.slice(0, 3).map(({ carrier_reference }) => carrier_reference)
      expect(firstThree, trackingNumber).toContain(expected)
    }
  })

  it('finds the carrier of a distinctive number with a wrong check digit, with less certainty and a reason', () => {
    const shapeOf = (reason: string) => reason.split(', check digit')[0]
    const right = numbers.filter(({ kind }) => kind === 'check').flatMap((row) => detectCarriers(row).slice(0, 1))
    const wrong = numbers.filter(({ kind }) => kind === 'wrong')
    expect(wrong.map(({ trackingNumber }) => trackingNumber)).toContain('1Z12345E0205271688')
    for (const { trackingNumber, countryCode, expected } of wrong) {
      const [best] = detectCarriers({ trackingNumber, countryCode })
      expect(best?.carrier_reference, trackingNumber).toBe(expected)
      expect(best?.reason, trackingNumber).toContain('check digit wrong')
      const alike = right.filter(({ reason }) => shapeOf(reason) === shapeOf(best?.reason ?? ''))
      expect(alike, trackingNumber).not.toEqual([])
      const leastSure = Math.min(...alike.map(({ confidence }) => confidence))
      expect(best?.confidence, trackingNumber).toBeLessThan(leastSure)
    }
  })

  it('treats a wrong check digit of a common format as another carrier’s number', () => {
    expect(detectCarriers({ trackingNumber: '501694412837', countryCode: 'US' })).not.toContainEqual(
      expect.objectContaining({ carrier_reference: 'fedex' }),
    )
  })

  it('takes a PIN of Purolator for a stronger sign if it begins as those of recent years do', () => {
    const strengthOf = (number: string) => {
      const fitting = fittingFormats(number).filter(({ carrier }) => carrier === 'purolator')
      return Math.max(...fitting.map(({ strength }) => strength))
    }
    const [older, ...recent] = ['016854242761', '286854242760', '326854242764', '331222386376'].map(strengthOf)
    expect(older).toBeGreaterThan(0)
    for (const strength of recent) expect(strength).toBeGreaterThan(older ?? 1)
  })

  it('finds the post of every country and territory of the UPU', () => {
    expect(upuCountries.length).toBeGreaterThanOrEqual(192)
    for (const country of upuCountries) {
      const [best] = detectCarriers({ trackingNumber: `RB123456785${country}`, countryCode: 'DE' })
      expect(best?.confidence, country).toBeGreaterThan(0.6)
      expect(best?.reason, country).toContain('check digit right')
      expect(findCarrier(best?.carrier_reference ?? '')?.countries, country).toContain(country)
    }
  })

  it('is never more certain of a number that fits several carriers than of one that fits one', () => {
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
      // Each is rounded to a hundredth, so a sum of many may be slightly off.
      expect(confidences.reduce((sum, confidence) => sum + confidence, 0)).toBeLessThan(1.05)
    }
  })

  it('handles any text, and never exceeds certainty', () => {
    // Hardly any random text is a number that a carrier has: half of these are, or begin as one.
    const known = fc.constantFrom(...numbers)
    const number = fc.oneof(
      fc.string({ maxLength: 300 }),
      known.map(({ trackingNumber }) => trackingNumber),
      fc.tuple(known, fc.string({ maxLength: 5 })).map(([{ trackingNumber }, more]) => trackingNumber + more),
    )
    const country = fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('DE', 'de', 'US', 'CZ', ''))
    const cases = new CaseCounter<{ found: number; trackingNumber: string }>({
      'a number of one carrier': ({ found }) => found === 1,
      'a number of several': ({ found }) => found > 1,
      'a number of none': ({ found, trackingNumber }) => found === 0 && trackingNumber !== '',
      'no number': ({ trackingNumber }) => trackingNumber === '',
      'a long text': ({ trackingNumber }) => trackingNumber.length > 100,
    })
    const examples: [trackingNumber: string, countryCode: string][] = [
      ['', 'DE'],
      ['1Z999AA10123456784', ''],
      ['47581236985', 'CZ'],
      ['\u0000', '\u{1f600}'],
      ['1Z999AA10123456784 '.repeat(15), 'US'],
      ['9'.repeat(300), 'XX'],
    ]
    fc.assert(
      fc.property(number, country, (trackingNumber, countryCode) => {
        cases.count({ found: detectCarriers({ trackingNumber, countryCode }).length, trackingNumber })
        for (const { confidence } of detectCarriers({ trackingNumber, countryCode })) {
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 200, examples },
    )
    cases.expectEach()
  })

  it('has only formats of catalogued carriers, each matching the whole number', () => {
    for (const { carrier, pattern, shape, strength } of formats) {
      expect(findCarrier(carrier), carrier).toBeDefined()
      expect(pattern.source.startsWith('^') && pattern.source.endsWith('$'), shape).toBe(true)
      expect(strength).toBeGreaterThan(0)
      expect(strength).toBeLessThan(1)
    }
  })

  it('tries every format on matching numbers of any length', () => {
    // The generator of matching texts does not support lookaheads.
    for (const format of formats.filter(({ pattern }) => !/\(\?[=!]|\.\+/.test(pattern.source))) {
      fc.assert(
        fc.property(fc.stringMatching(format.pattern), (number) => fittingFormats(number).includes(format)),
        { numRuns: 10 },
      )
    }
  })

  it.each([
    [/^\d{12}$/, 12, 12],
    [/^(?=[A-Z]*\d)(?!0{8})[A-Z0-9]{8}$/, 8, 8],
    [/^(?:420\d{5}(?:\d{4})?)?9[12]\d{20}(?:\d{4})?$/, 22, 38],
    [/^(?:A|BC)\d{2,3}X?$/, 3, 6],
    [/^SBX.+$/, 4, Number.POSITIVE_INFINITY],
  ])('knows how long a number of %s is', (pattern, least, most) => {
    expect(lengthOf(pattern)).toEqual({ least, most })
  })

  it('reads a number however it is printed', () => {
    const zeroWidth = '\u200b1Z5R8939\u200d0357567127\ufeff'
    const fullWidth = '１Ｚ５Ｒ８９３９０３５７５６７１２７'
    const printed = [
      '1z 5r8 939 03 5756 7127',
      '1Z-5R8-939-03-5756-7127',
      ' 1Z5R8939.0357567127 ',
      '*1Z5R89390357567127*',
    ]
    for (const trackingNumber of [...printed, zeroWidth, fullWidth]) expect(firstOf(trackingNumber)).toBe('ups')
    expect(firstOf('(00) 3 4043 4116 0003 4522 2')).toBe('dhl')
  })

  it.each([
    ['UPS 1Z5R89390357567127', 'ups'],
    ['Your parcel: 1Z 5R8 939 03 5756 7127 (UPS)', 'ups'],
    ['tracking no. RR 521 451 928 DE', 'deutsche-post'],
    ['https://www.ups.com/track?loc=en_US&tracknum=1Z5R89390357567127', 'ups'],
    ['https://www.dhl.de/de/privatkunden/dhl-sendungsverfolgung.html?piececode=00340434116000345222', 'dhl'],
    ['https://www.fedex.com/fedextrack/?trknbr=986578788855', 'fedex'],
    ['FedEx: 986578788855', 'fedex'],
    ['DPD 09988938067170', 'dpd'],
    ['GLS 54930755060', 'gls'],
    ['UPS 990728071', 'ups'],
    ['运单号SF1084576920924', 'sf-express'],
    ['Order 2026-000123', 'none'],
    ['phone 030 1234567', 'none'],
    ['https://shop.example/orders/20260001234', 'none'],
  ])('reads the number in “%s” as %s', (text, expected) => {
    expect(firstOf(text)).toBe(expected)
  })

  it('reports that a text names the carrier', () => {
    const [best] = detectCarriers({ trackingNumber: 'FedEx: 986578788855' })
    expect(best).toMatchObject({ carrier_reference: 'fedex', reason: expect.stringContaining('named in the text') })
    expect(best?.confidence).toBeGreaterThan(0.9)
  })

  it('finds nothing in a text that is longer than any number', () => {
    expect(detectCarriers({ trackingNumber: `1Z5R89390357567127${' '.repeat(300)}` })).toEqual([])
  })
})

/** The members of the UPU, and the territories whose posts have codes of their own. */
const upuCountries = (
  'AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU ' +
  'CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR HT HU ID IE IL IN IQ ' +
  'IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MR MT MU ' +
  'MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PT PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN ' +
  'SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TZ UA UG US UY UZ VA VC VE VN VU WS YE ZA ZM ZW ' +
  'AI AW AX BM CK CW FK FO GG GI GL HK IM JE KY MO MS NC NU PF PS SH SX TC TW VG WF XK'
).split(' ')

interface Row {
  trackingNumber: string
  countryCode: string | undefined
  expected: string
  note: string
}

function judge(rows: readonly Row[]): { count: number; share: number } {
  const judged = rows.map((row) => ({ ...row, answered: firstOf(row.trackingNumber, row.countryCode) }))
  const misses = judged.filter(({ expected, answered }) => !isRight(expected, answered))
  const share = 1 - misses.length / judged.length
  console.log(`${judged.length} numbers, ${(share * 100).toFixed(1)} of 100 right first\n${confusionTable(misses)}`)
  return { count: judged.length, share }
}

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
