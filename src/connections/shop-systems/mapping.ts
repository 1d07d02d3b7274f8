import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { ReportedOrder } from '../../adapters/shop-systems/shop-system.ts'
import { OrderAnalytics } from '../../orders/orders/parts.ts'
import type { GivenOrder } from '../../orders/orders/schema.ts'
import { parseInstant } from '../../platform/foundation/schema.ts'
import { cutText } from '../../platform/foundation/storable-text.ts'
import { createValidator } from '../../platform/foundation/validate.ts'
import type { MappingData } from '../../shops/settings/bundle-schema.ts'

/** The result of the shop's mapping rules: fields of our order, and everything else as analytics. */
export interface Mapped {
  fields: Partial<GivenOrder>
  analytics: Record<string, string>
}

/** Text fields and their maximum lengths. */
const textFields = {
  order_name: 255,
  email_id: 320,
  external_customer_id: 255,
  order_status_url: 4_096,
  financial_status: 255,
  user_agent: 4_096,
  promise_id: 2_000,
} as const

const maxAnalyticsLength = 1_000
const analyticsCheck = createValidator(OrderAnalytics, 'body')

/**
 * Applies the rules of the setting `mappings`. Rules without a matching source, and values that are invalid for the target,
 * are skipped: a mapping never rejects an order.
 */
export function applyMappings(
  system: ShopSystemName,
  mappings: MappingData,
  order: ReportedOrder & { changedAt: Date },
): Mapped {
  const mapped: Mapped = { fields: {}, analytics: {} }
  for (const { source, target } of mappings[`${system}.order`] ?? []) {
    const value = order.attributes.findLast(({ type, key }) => type === source.type && key === source.key)?.value
    if (value !== undefined && value.trim() !== '') put(mapped, target, value.trim(), { system, at: order.changedAt })
  }
  return mapped
}

function put(
  { fields, analytics }: Mapped,
  target: string,
  value: string,
  { system, at }: { system: ShopSystemName; at: Date },
): void {
  if (target === 'segments') {
    const names = value.split(',').map((name) => cutText(name.trim(), 255))
    fields.segments = [...new Set([...(fields.segments ?? []), ...names.filter((name) => name !== '')])].slice(0, 500)
  } else if (target === 'preferred_delivery_date') {
    const window = deliveryWindow(value)
    if (window) fields.preferred_delivery_date = { ...window, updated_at: at.toISOString(), source: system }
  } else if (isTextField(target)) {
    fields[target] = cutText(value, textFields[target])
  } else {
    const text = cutText(value, maxAnalyticsLength)
    // Attribution fields have a schema; other names are free.
    if (analyticsCheck.problems({ [target]: text }) === undefined) analytics[target] = text
  }
}

function isTextField(target: string): target is keyof typeof textFields {
  return Object.hasOwn(textFields, target)
}

/** `2026-11-20`, `20.11.2026`, an instant, or two of them separated by a slash. A day means the whole day. */
function deliveryWindow(value: string): { start: string; end: string } | undefined {
  const [from = '', to = from] = value.split('/').map((part) => part.trim())
  const start = momentOf(from, '00:00:00.000')
  const end = momentOf(to, '23:59:59.999')
  return start && end && start <= end ? { start: start.toISOString(), end: end.toISOString() } : undefined
}

function momentOf(text: string, time: string): Date | undefined {
  const day = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text)
  const iso = day ? `${day[3]}-${day[2]}-${day[1]}` : text
  return parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(iso) ? `${iso}T${time}Z` : iso)
}
