import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCarrier } from '../../../src/adapters/carriers/choose.ts'
import { createProviders, providerNames } from '../../../src/adapters/carriers/registry.ts'
import { findMeaning } from '../../../src/platform/catalogue/catalogue.ts'

const folder = join(import.meta.dirname, '../../../src/adapters/carriers')
const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').trim().split('\n').slice(1)

/** The codes that a provider documents, and undocumented ones that occur, from the lists with their sources. */
function documented(file: string): { codes: string[]; seen: string[] } {
  const lines = readFileSync(join(import.meta.dirname, 'documented', file), 'utf8')
    .trim()
    .split('\n')
  expect(lines.filter((line) => line.startsWith('# http')).length, `${file} names its source`).toBeGreaterThan(0)
  const codes = lines.filter((line) => !line.startsWith('#'))
  return {
    codes: codes.filter((code) => !code.startsWith('seen ')),
    seen: codes.filter((code) => code.startsWith('seen ')).map((code) => code.slice('seen '.length)),
  }
}

const codesOf = (file: string) => linesOf(file).map((line) => line.split(',')[0] ?? '')

describe('documented codes of providers', () => {
  it.each(['aftership', 'fedex', 'ups'])('%s: every one is in the table, and the table has no other', (provider) => {
    const { codes, seen } = documented(`${provider}.txt`)
    expect([...codes, ...seen].sort()).toEqual(codesOf(`${provider}/codes.csv`).sort())
  })

  it('easypost: every pair of a status and a detail is in the table, and the table has no other', () => {
    const { codes } = documented('easypost.txt')
    const of = (kind: string) => codes.filter((code) => code.startsWith(`${kind} `)).map((code) => code.split(' ')[1])
    const pairs = of('status').flatMap((status) => [status, ...of('detail').map((detail) => `${status}/${detail}`)])
    expect(pairs).toHaveLength(290)
    expect(pairs.sort()).toEqual(codesOf('easypost/codes.csv').sort())
  })

  it('dhl: every event with its reason, every standard event and every checkpoint is in the table', () => {
    const rows = linesOf('dhl/codes.csv').map((line) => line.split(','))
    const table = (service: string) => rows.filter((row) => row[0] === service).map((row) => row[1] ?? '')
    const german = documented('dhl-parcel-de.txt').codes.map((line) => line.split(' '))
    const pairs = new Set(german.map(([event, reason]) => `${event} ${reason}`))
    const standard = new Set(german.map(([, , code = '']) => code))
    const exact = german.map((parts) => parts.join(' '))
    for (const code of [...pairs, ...standard]) expect(table('parcel-de'), code).toContain(code)
    const exactOnly = table('parcel-de').filter((code) => !pairs.has(code) && !standard.has(code))
    expect(exactOnly.filter((code) => !exact.includes(code))).toEqual([])
    expect(table('express').sort()).toEqual(documented('dhl-express.txt').codes.sort())
    const elsewhere = documented('dhl-other-services.txt').codes.filter((code) => !code.startsWith('unclear '))
    const own = rows.filter(([service = '']) => !['parcel-de', 'express'].includes(service))
    expect(own.map(([service, code]) => `${service} ${code}`).sort()).toEqual(elsewhere.sort())
  })

  it('dhl/codes.csv names events of the catalogue, each code once', () => {
    const rows = linesOf('dhl/codes.csv').map((line) => line.split(','))
    expect(new Set(rows.map(([service, code]) => `${service} ${code}`)).size).toBe(rows.length)
    for (const [, code, name = '', wordsSayMore, meaning] of rows) {
      expect(findMeaning(name), `${code} is ${name}`).toBeDefined()
      expect(['yes', 'no'], code).toContain(wordsSayMore)
      expect(meaning, code).toMatch(/\S/)
    }
  })
})

describe('codes of providers', () => {
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

  it('cover every provider', () => {
    const providers = createProviders()
    expect(Object.keys(providers)).toEqual([...providerNames])
    for (const name of providerNames) expect(providers[name].name).toBe(name)
  })
})
