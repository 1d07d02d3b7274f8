import { simpleParser } from 'mailparser'
import { describe, expect, it } from 'vitest'
import { textPart } from '../../src/platform/mail/account-pool.ts'

describe('part of a message', () => {
  it.each([
    ['plain English', 'Your parcel is on its way.'],
    ['Greek', 'Το δέμα σας βρίσκεται καθ’ οδόν. '.repeat(40)],
    ['a long line', 'x'.repeat(5_000)],
    ['lines that begin with a dot', 'one\n.\n..two\n.'],
    ['blanks at the ends of lines', 'one  \ntwo\t\n three '],
    ['equal signs and codes', '=3D =E2=82=AC a=b'],
    ['signs beyond the basic plane', '📦 𝔘𝔫𝔦 '.repeat(30)],
    ['line ends of all kinds', 'one\r\ntwo\nthree\rfour'],
  ])('is read as it was written: %s', async (_name, text) => {
    const { raw } = textPart('text/plain', text)
    expect(raw.split('\r\n').every((line) => line.length <= 76 && !/[\r\n]/.test(line))).toBe(true)
    const read = await simpleParser(raw)
    expect(read.text?.replace(/\n$/, '')).toBe(text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, ''))
  })
})
