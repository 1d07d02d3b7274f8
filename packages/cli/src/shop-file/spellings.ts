import type { Json } from './compare.ts'

/** Functions that bring values into the order and spelling in which the service stores them. */
export const spellings: Readonly<Record<string, (value: Json) => Json>> = {
  calendar: ({ weekend, closed_days, open_days, ...others }) => ({
    ...others,
    ...(Array.isArray(weekend) ? { weekend: weekend.toSorted((one, other) => Number(one) - Number(other)) } : {}),
    ...(Array.isArray(closed_days) ? { closed_days: byDate(closed_days) } : {}),
    ...(Array.isArray(open_days) ? { open_days: byDate(open_days) } : {}),
  }),
  delivery_promises: ({ warehouses, ...others }) => ({
    ...others,
    ...(Array.isArray(warehouses)
      ? {
          warehouses: warehouses.map((each: Json) =>
            Array.isArray(each.closed_days) ? { ...each, closed_days: each.closed_days.toSorted() } : each,
          ),
        }
      : {}),
  }),
  team_mail: ({ addresses, ...others }) => ({
    ...others,
    ...(Array.isArray(addresses)
      ? { addresses: addresses.map((each: Json) => ({ ...each, email: String(each.email).trim().toLowerCase() })) }
      : {}),
  }),
}

function byDate(days: Json[]): Json[] {
  return days.toSorted((one, other) => String(one.date).localeCompare(String(other.date)))
}

/**
 * A text is shown in the translation into the shop's own language, if there is one: then that is the text, and such a
 * translation says nothing more.
 */
export function withoutOwnLanguage(value: unknown, language: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutOwnLanguage(each, language))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, each]) => {
    const kept = name === 'translations' && Array.isArray(each) ? each.filter((one) => one.language !== language) : each
    return [name, withoutOwnLanguage(kept, language)]
  })
  return Object.fromEntries(fields)
}
