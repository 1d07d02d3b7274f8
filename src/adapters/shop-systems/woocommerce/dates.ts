import { parseInstant } from '../../../platform/foundation/schema.ts'
import { type Fields, instantOf, textOf } from '../read-fields.ts'

/**
 * The ship date of a tracking plug-in: seconds or milliseconds since 1970, `2026-11-03`, `20261103`, `2026-11-03
 * 15:00:00`, ISO 8601, or a display format: `03-11-2026`, `03/11/2026`, `03.11.2026`. Read as month first only if day
 * first is impossible.
 */
export function shippedAt(value: unknown): string | undefined {
  const text = textOf(value, 40)
  if (text === undefined) return undefined
  return (fromSeconds(text) ?? parseInstant(isoForm(text)))?.toISOString()
}

/** A time in the store's own zone: its order has times both in that zone and in GMT. */
export function localInstant(value: unknown, order: Fields): Date | undefined {
  const local = instantOf(textOf(value, 40)?.replace(' ', 'T'))
  const own = instantOf(order.date_modified)
  const gmt = instantOf(order.date_modified_gmt)
  if (local === undefined || own === undefined || gmt === undefined) return undefined
  return new Date(local.getTime() + gmt.getTime() - own.getTime())
}

function fromSeconds(text: string): Date | undefined {
  if (!/^\d{9,10}$|^\d{12,13}$/.test(text)) return undefined
  return new Date(text.length > 10 ? Number(text) : Number(text) * 1_000)
}

function isoForm(text: string): string {
  const bare = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (bare) return `${bare[1]}-${bare[2]}-${bare[3]}`
  const shown = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text)
  if (!shown) return text
  const [, first = '', second = '', year = ''] = shown
  const isMonthFirst = Number(second) > 12
  const [day, month] = isMonthFirst ? [second, first] : [first, second]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
