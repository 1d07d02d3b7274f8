import { parseInstant } from '../../foundation/schema.ts'
import { textOf } from '../read-fields.ts'

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
