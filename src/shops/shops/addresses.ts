import { withoutCredentials } from '../../platform/foundation/web-address.ts'

/** The addresses among the settings of a shop. */
export const addressFields = ['shop_admin_url', 'shop_faq_url', 'shop_service_url', 'shop_url', 'logo_url'] as const

/**
 * The fields, with addresses as they are stored and shown: without user names and passwords. No call to a shop uses them, because each
 * system has keys of its own, and the addresses are read by people.
 */
export function withPublicAddresses<Fields extends object>(fields: Fields): Fields {
  const found = Object.entries(fields).map(([name, value]) =>
    typeof value === 'string' && isAddress(name) ? [name, withoutCredentials(value)] : [name, value],
  )
  return Object.fromEntries(found) as Fields // the same fields, and texts stay texts
}

function isAddress(name: string): boolean {
  return addressFields.some((field) => field === name)
}
