/** `+4915112345678`: the only form of a number that marketing systems take without guessing at the country. */
export function isE164(phone: string | null): phone is string {
  return phone !== null && /^\+[1-9]\d{6,14}$/.test(phone)
}
