/** `+4915112345678`: the only format that marketing systems accept without guessing the country. */
export function isE164(phone: string | null): phone is string {
  return phone !== null && /^\+[1-9]\d{6,14}$/.test(phone)
}
