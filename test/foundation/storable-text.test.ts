import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  cutText,
  hasStorableTexts,
  isStorableText,
  parseStorable,
  toStorableJson,
  toStorableText,
} from '../../src/platform/foundation/storable-text.ts'
import { theService } from '../harness/service.ts'

const parcel = '📦'
const [high, low] = [parcel.charAt(0), parcel.charAt(1)]
const odd = ['\0', high, low, `a${low}${high}`, `${parcel}${high}`, `\0${parcel}\0`, `\\u0000\0`]

/** Returns a text as the store has it: once as a text, once inside JSON. */
async function stored(text: string): Promise<unknown> {
  const { db } = (await theService()).database
  const { rows } = await sql`
    select ${text}::text as text, entry.text as inside
    from json_to_recordset(${JSON.stringify([{ text }])}::json) as entry (text text)`.execute(db)
  return rows[0]
}

describe('text of another system', () => {
  it('can be stored once it is made storable, and nothing else is lost', async () => {
    for (const text of odd) {
      expect(isStorableText(text), JSON.stringify(text)).toBe(false)
      const made = toStorableText(text)
      expect(isStorableText(made)).toBe(true)
      expect(await stored(made)).toEqual({ text: made, inside: made })
    }
    expect(toStorableText(`a\0${high}b${parcel}`)).toBe(`a\ufffdb${parcel}`)
  })

  it('makes a statement fail as it is', async () => {
    for (const text of ['\0', high]) await expect(stored(text)).rejects.toThrow()
  })

  it('is cut without splitting a pair', () => {
    expect(cutText('parcels', 6)).toBe('parcel')
    expect(cutText('parcel', 6)).toBe('parcel')
    expect([0, 1, 2, 3, 4, 5].map((length) => cutText(`${parcel}${parcel}s`, length))).toEqual([
      '',
      '',
      parcel,
      parcel,
      `${parcel}${parcel}`,
      `${parcel}${parcel}s`,
    ])
  })

  it('is made storable in JSON, in names and values at any depth', () => {
    for (const text of odd) {
      const value = { list: [{ [`name${text}`]: text }], number: 1, nothing: null }
      const expected = { list: [{ [`name${toStorableText(text)}`]: toStorableText(text) }], number: 1, nothing: null }
      expect(hasStorableTexts(JSON.stringify(value))).toBe(false)
      expect(parseStorable(JSON.stringify(value))).toEqual(expected)
      expect(toStorableJson(value)).toBe(JSON.stringify(expected))
    }
    const plain = { text: `C:\\users\\u0000 ${parcel}`, at: new Date(0) }
    expect(toStorableJson(plain)).toBe(JSON.stringify(plain))
    expect(() => parseStorable('{"a":')).toThrow(SyntaxError)
  })
})
