import { cutText } from '../../platform/foundation/storable-text.ts'

/** The variables without nulls, at every depth: some systems take null as a value, and others reject it. */
export function withoutNulls(eventData: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(eventData)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, valueWithoutNulls(value)]),
  )
}

function valueWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== undefined).map(valueWithoutNulls)
  return typeof value === 'object' && value !== null ? withoutNulls({ ...value }) : value
}

/** Cuts texts to a system's maximum length. Longer URLs are dropped, because a truncated URL leads nowhere. */
export function limitTexts<Value>(variables: Record<string, Value>, maxLength: number): Record<string, Value | string> {
  const limited: [string, Value | string][] = []
  for (const [name, value] of Object.entries(variables)) {
    if (typeof value !== 'string' || value.length <= maxLength) limited.push([name, value])
    else if (!/^https?:\/\//i.test(value)) limited.push([name, `${cutText(value, maxLength - 1).trimEnd()}…`])
  }
  return Object.fromEntries(limited)
}

export type Scalar = string | number | boolean

/**
 * The variables for systems without nested values: an address becomes `shipping_address_city` and so on, a list of
 * values becomes comma-separated text, and a list of records becomes numbered variables such as
 * `selected_items_1_title`. Empty lists are left out.
 */
export function flatVariables(eventData: Record<string, unknown>): Record<string, Scalar> {
  return Object.fromEntries(Object.entries(eventData).flatMap(([name, value]) => flatten(name, value)))
}

function flatten(name: string, value: unknown): [string, Scalar][] {
  if (isScalar(value)) return [[name, value]]
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isScalar)) return [[name, value.join(', ')]]
    return value.flatMap((item, index) => flatten(`${name}_${index + 1}`, item))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([part, inner]) => flatten(`${name}_${part}`, inner))
}

function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  )
}
