import { describe, expect, it } from 'vitest'
import { isListed, isPublicKey, originsOf, parseDomain } from '../../src/customer-page/embedding/rules.ts'

describe('domain', () => {
  it.each([
    ['shop.example', 'shop.example'],
    [' https://Shop.example/ ', 'shop.example'],
    ['WWW.SHOP.EXAMPLE', 'www.shop.example'],
    ['https://shop.example:8443', 'shop.example:8443'],
    ['shop.example:443', 'shop.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['http://localhost:5173', 'localhost:5173'],
    ['http://127.0.0.1', '127.0.0.1'],
  ])('of %j is %s', (given, domain) => {
    expect(parseDomain(given)).toEqual({ domain })
  })

  it.each([
    ['', 'a domain'],
    ['shop', 'a domain'],
    ['.example', 'a domain'],
    ['https://shop.example/cart', 'a domain'],
    ['shop.example?x=1', 'a domain'],
    ['shop.example#top', 'a domain'],
    ['https://ada@shop.example', 'a domain'],
    ['https://ada:secret@shop.example', 'a domain'],
    ['javascript://shop.example', 'a domain'],
    ['ftp://shop.example', 'a domain'],
    ['*.shop.example', 'a domain'],
    ['shop.example;script-src', 'a domain'],
    ['[::1]', 'a domain'],
    ['http://shop.example', 'served over HTTPS'],
  ])('is not %j', (given, problem) => {
    expect(parseDomain(given)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

describe('origin', () => {
  it('is over HTTPS only, except on the own machine', () => {
    expect(originsOf('shop.example')).toEqual(['https://shop.example'])
    expect(originsOf('shop.example:8443')).toEqual(['https://shop.example:8443'])
    expect(originsOf('localhost')).toEqual(['http://localhost:*', 'https://localhost:*'])
    expect(originsOf('127.0.0.1:5173')).toEqual(['http://127.0.0.1:5173', 'https://127.0.0.1:5173'])
  })

  it.each([
    ['https://shop.example', true],
    ['https://shop.example:8443', false],
    ['https://shop.example:9443', true],
    ['http://shop.example', false],
    ['https://www.shop.example', false],
    ['https://shop.example.evil.example', false],
    ['https://evilshop.example', false],
    ['https://shop.example/', false],
    ['https://shop.example/cart', false],
    ['https://ada@shop.example', false],
    ['null', false],
    ['', false],
    ['http://localhost:3000', true],
    ['https://localhost', true],
    ['ftp://localhost', false],
    ['http://127.0.0.1:5173', true],
    ['http://127.0.0.1:5174', false],
  ])('%j is listed: %s', (origin, expected) => {
    const domains = ['shop.example', 'shop.example:9443', 'localhost', '127.0.0.1:5173']
    expect(isListed(domains, origin)).toBe(expected)
  })

  it('is never listed by a shop without domains', () => {
    expect(isListed([], 'https://shop.example')).toBe(false)
    expect(isListed([], 'http://localhost')).toBe(false)
  })
})

describe('public key', () => {
  it('is compared as a whole, and no key is none', () => {
    expect(isPublicKey('pk_1', 'pk_1')).toBe(true)
    expect(isPublicKey('pk_1', 'pk_2')).toBe(false)
    expect(isPublicKey('pk_1', 'pk_')).toBe(false)
    expect(isPublicKey('pk_1', '')).toBe(false)
    expect(isPublicKey('', '')).toBe(false)
  })
})
