import { domainToASCII } from 'node:url'

/** Upper and lower case are the same to every provider, and a domain has one spelling. */
export function normalizedAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  if (at < 1 || domain === '' || address.length > 320) return undefined
  if (address.includes(' ') || hasControlCharacters(address)) return undefined
  return `${address.slice(0, at)}@${domain}`
}

export function isSameAddress(one: string, other: string): boolean {
  const address = normalizedAddress(one)
  return address !== undefined && address === normalizedAddress(other)
}

/** The mailbox that an address leads to at most providers: `ada+shop@…` is a mailbox of `ada@…`. */
export function mailboxOf(text: string): string | undefined {
  const address = normalizedAddress(text)
  if (address === undefined) return undefined
  const at = address.lastIndexOf('@')
  const tag = address.indexOf('+')
  return tag > 0 && tag < at ? `${address.slice(0, tag)}${address.slice(at)}` : address
}

/** Texts that programs turn into links: an e-mail address, a web address, or a domain. */
const linked = /@|:\/\/|www\.|[\p{L}\p{N}]\.\p{L}{2}/iu

/**
 * A person's name as one line; null if it has an address in it. People type their names themselves, and an address that
 * somebody else typed must not stand in a message from the shop as if it were the shop's.
 */
export function toPersonName(text: string | null | undefined): string | null {
  const name = toOneLine(text ?? '')
  return name === '' || linked.test(name.normalize('NFKC')) ? null : name
}

/** Control characters of any kind, and characters that some programs read as the end of a line. */
const control = /[\p{Cc}\u2028\u2029]/u

export function hasControlCharacters(text: string): boolean {
  return control.test(text)
}

/** A name or title as one line. */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
}
