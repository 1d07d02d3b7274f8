import type { Discount } from './schema.ts'
import type { StoredDiscount } from './store.ts'

export function toDiscount(shopSlug: string, row: StoredDiscount): Discount {
  return {
    uuid: row.id,
    shop_slug: shopSlug,
    code: row.code,
    // The schema allows only these selections, targets and types.
    target_selection: row.target_selection as Discount['target_selection'],
    target_type: row.target_type as Discount['target_type'],
    title: row.title,
    value_type: row.value_type as Discount['value_type'],
    value: row.value,
    type: row.type as Discount['type'],
  }
}
