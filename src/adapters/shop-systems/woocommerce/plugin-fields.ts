import { parseBounded } from '../../../platform/foundation/json-limits.ts'
import { type Fields, given, listOf, textOf, urlOf } from '../read-fields.ts'
import { shippedAt } from './dates.ts'
import { readableText } from './text.ts'

/** A tracking number as a plug-in stores it. */
export interface PluginTracking {
  id: string
  number: string
  company?: string
  url?: string
  placedAt?: string
  /** The line items in the parcel, by id; absent if the plug-in does not say. */
  items?: { itemId: string | undefined; productId?: string; quantity: unknown }[]
}

/** An order's meta data by their keys. */
export type Meta = ReadonlyMap<string | undefined, unknown>

export function metaOf({ meta_data }: Fields): Meta {
  return new Map(listOf(meta_data).map(({ key, value }) => [textOf(key, 255), value]))
}

export function texts(meta: Meta, keys: string[]): string[] {
  return keys.flatMap((key) => textOf(meta.get(key), 4_096) ?? [])
}

/** A list, an object keyed by number, or either as a JSON string. */
export function entriesOf(value: unknown): Fields[] {
  if (typeof value !== 'string') return listOf(value)
  try {
    return listOf(parseBounded(value))
  } catch {
    return [] // not JSON: it contains no tracking
  }
}

interface Parts {
  id?: unknown
  company: unknown[]
  url?: unknown[]
  placedAt?: unknown
  items?: NonNullable<PluginTracking['items']>
}

/** Merchants enter several numbers in one field; plug-ins also store a list. */
export function trackingOf(number: unknown, { id, company, url = [], placedAt, items = [] }: Parts): PluginTracking[] {
  const text = Array.isArray(number) ? number.join(',') : number
  const numbers = (textOf(text, 4_096) ?? '').split(/[,;]/).map((one) => textOf(one, 255))
  return numbers.flatMap((one) =>
    one === undefined
      ? []
      : [
          {
            id: (numbers.length === 1 ? textOf(id, 255) : undefined) ?? one,
            number: one,
            ...given({
              company: company.map((name) => readableText(name, 255)).find(isName),
              url: url.map((address) => urlOf(readableText(address, 4_096))).find(Boolean),
              placedAt: shippedAt(placedAt),
              items: items.length === 0 ? undefined : items,
            }),
          },
        ],
  )
}

/** If no carrier was chosen, plug-ins store -1 or a dash. */
function isName(name: string | undefined): name is string {
  return name !== undefined && /\p{L}/u.test(name)
}
