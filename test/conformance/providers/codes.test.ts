import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { providerNames } from '../../../src/carriers/provider.ts'
import { createProviders } from '../../../src/carriers/providers.ts'
import { findCarrier } from '../../../src/carriers/registry.ts'
import { findMeaning } from '../../../src/resources/events/catalogue.ts'

const folder = join(import.meta.dirname, '../../../src/carriers')
const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').trim().split('\n').slice(1)

describe('the codes of providers', () => {
  it.each(['aftership/codes.csv', 'easypost/codes.csv', 'fedex/codes.csv', 'ups/codes.csv'])(
    '%s name events of the catalogue, each code once',
    (file) => {
      const rows = linesOf(file).map((line) => line.split(','))
      expect(rows.length).toBeGreaterThan(30)
      expect(new Set(rows.map(([code]) => code)).size).toBe(rows.length)
      for (const [code, name = '', meaning] of rows) {
        expect(findMeaning(name), `${code} is ${name}`).toBeDefined()
        expect(meaning, code).toMatch(/\S/)
      }
    },
  )

  it('dhl/texts.csv names events of the catalogue, in phrases of small letters', () => {
    const rows = linesOf('dhl/texts.csv').map((line) => line.split(','))
    for (const [code = '', name = '', phrase = '', ...rest] of rows) {
      expect(findMeaning(name), `${phrase} is ${name}`).toBeDefined()
      expect(['*', 'pre-transit', 'transit', 'delivered', 'failure']).toContain(code)
      expect(phrase).toBe(phrase.toLowerCase())
      expect(phrase).not.toBe('')
      expect(rest).toEqual([])
    }
    expect(new Set(rows.map((row) => row.join(','))).size).toBe(rows.length)
  })

  it.each(['aftership/carriers.csv', 'easypost/carriers.csv'])(
    '%s name carriers of the catalogue, each once',
    (file) => {
      const rows = linesOf(file).map((line) => line.split(','))
      for (const [reference = ''] of rows) expect(findCarrier(reference), reference).toBeDefined()
      const names = rows.flatMap(([, text = '']) => text.toLowerCase().split(' '))
      expect(new Set(names).size).toBe(names.length)
      expect(names).not.toContain('')
    },
  )

  it('are those of every provider there is', () => {
    const providers = createProviders()
    expect(Object.keys(providers)).toEqual([...providerNames])
    for (const name of providerNames) expect(providers[name].name).toBe(name)
  })
})
