import { hasGlsCheck, hasMod10, hasMod37, hasS10Check } from '../../adapters/carriers/formats/check-digits.ts'
import type { CountryCode } from './places.ts'

/** The carriers of parcels to a country, those with more parcels several times. */
const carriers: Partial<Record<CountryCode, readonly string[]>> = {
  DE: ['dhl', 'dhl', 'dhl', 'dhl', 'dhl', 'hermes', 'gls', 'dpd'],
  AT: ['austrian-post'],
  BE: ['bpost'],
  CH: ['swiss-post'],
  FR: ['colissimo'],
  GB: ['royal-mail'],
  NL: ['postnl'],
  PL: ['inpost'],
  SE: ['postnord'],
}

/** A number as the carrier gives it: the same for the same index, another for each. */
const numbers: Record<string, (index: number) => string> = {
  dhl: (index) => checked(`00340434162${digits(index, 8)}`, hasMod10),
  hermes: (index) => `H${digits(index, 19)}`,
  gls: (index) => checked(`97${digits(index, 9)}`, hasGlsCheck),
  // Their check is a digit for some numbers and a letter for others; one with a letter is unmistakable.
  dpd: (index) => checked(`0152${digits(index, 10)}`, hasMod37, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
  'austrian-post': (index) => `10${digits(index, 20)}`,
  bpost: (index) => `3232${digits(index, 20)}`,
  'swiss-post': (index) => `99${digits(index, 16)}`,
  colissimo: (index) => `6A${checked(digits(index, 10), hasMod10)}`,
  'royal-mail': (index) => checkedS10('KH', index, 'GB'),
  postnl: (index) => `3SRPNL${digits(index, 9)}`,
  inpost: (index) => `6${digits(index, 23)}`,
  postnord: (index) => checked(`00373${digits(index, 14)}`, hasMod10),
}

export function carriersOf(country: CountryCode): readonly string[] {
  return carriers[country] ?? []
}

export function trackingNumber(carrier: string, index: number): string {
  const number = numbers[carrier]
  if (number === undefined) throw new Error(`the demo shop has no numbers of ${carrier}`)
  return number(index)
}

/** Digits that look random and differ for every index below a hundred million. */
function digits(index: number, length: number): string {
  const mixed = String((index * 48_271_937 + 31_415_927) % 100_000_007).padStart(8, '0')
  return mixed.repeat(3).slice(-length).padStart(length, '7')
}

/** The number with the last character that its check asks for; the next number if there is none. */
function checked(start: string, isValid: (number: string) => boolean, characters = '0123456789'): string {
  const last = [...characters].find((character) => isValid(`${start}${character}`))
  if (last !== undefined) return `${start}${last}`
  const next = String(Number(start.slice(-4)) + 1).padStart(4, '0')
  return checked(`${start.slice(0, -4)}${next.slice(-4)}`, isValid, characters)
}

function checkedS10(prefix: string, index: number, country: string): string {
  const number = checked(`${prefix}${digits(index, 8)}`, (each) => hasS10Check(`${each}${country}`))
  return `${number}${country}`
}
