import { describe, expect, it } from 'vitest'
import { isSameAddress, mailboxOf, toPersonName } from '../../src/platform/foundation/mail-address.ts'

describe('name of a person in a message', () => {
  it.each(['Ada Example', 'J. R. R. Tolkien', "Seán O'Brien-Müller", '王 小明', 'Dr. Ada', 'Anna-Lena (3. Stock)'])(
    'is kept: %s',
    (name) => expect(toPersonName(name)).toBe(name),
  )

  it.each([
    'ada@example.com',
    'Win at https://evil.example',
    'see www.evil',
    'evil.example/prize',
    'evil．example',
    'ada＠example',
    'Prize: EVIL.EXAMPLE',
    ' ',
    null,
    undefined,
  ])('is left out: %s', (name) => expect(toPersonName(name)).toBeNull())

  it('is one line', () => expect(toPersonName(' Ada\r\nExample ')).toBe('Ada Example'))
})

describe('mailbox', () => {
  it.each([
    ['Ada+Shop@Example.COM', 'ada@example.com'],
    ['ada@example.com', 'ada@example.com'],
    ['+ada@example.com', '+ada@example.com'],
    ['ada@müller.example', 'ada@xn--mller-kva.example'],
    ['nobody', undefined],
  ])('of %s is %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox))

  it('is compared in one spelling', () => {
    expect(isSameAddress(' Ada@Example.com', 'ada@example.COM')).toBe(true)
    expect(isSameAddress('ada@example.com', 'ada+1@example.com')).toBe(false)
    expect(isSameAddress('nobody', 'nobody')).toBe(false)
  })
})
