/** Letters and digits of any script; no quoting, no comments, and nothing that could end a header or a command. */
const localPart = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u
const label = /^[\p{L}\p{N}-]+$/u

/** Whether it is a plain address that can be put into a message: `name@shop.example`. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, at)
  if (at < 1 || at > 64 || text.length > 254 || !localPart.test(name)) return false
  if (name.startsWith('.') || name.endsWith('.') || name.includes('..')) return false
  return domainOf(text).split('.').every(isLabel)
}

function isLabel(part: string): boolean {
  return part.length <= 63 && label.test(part) && !part.startsWith('-') && !part.endsWith('-')
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** Whole addresses appear neither in logs nor in replies: `maria@shop.example` becomes `m…@shop.example`. */
export function hideAddresses(text: string): string {
  const parts = text.split('@')
  // By hand: a pattern that looks for the beginning of a name takes quadratic time.
  return parts.map((part, index) => (index === parts.length - 1 ? part : hideLastWord(part))).join('@')
}

function hideLastWord(text: string): string {
  let start = text.length
  while (start > 0 && !` \t\r\n<>()[]:;,"'`.includes(text.charAt(start - 1))) start -= 1
  const [first] = text.slice(start)
  return first === undefined ? text : `${text.slice(0, start)}${first}…`
}
