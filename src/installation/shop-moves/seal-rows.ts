import type { Context } from '../../platform/foundation/context.ts'
import type { addressesHere } from '../../webhooks/endpoints/address.ts'
import type { CarriedRow } from './archive-entries.ts'
import { digestColumn, digestOf, sealedColumnsOf, sealValue } from './carried-columns.ts'

/** The shop whose rows they become. */
export interface SealingShop {
  shopId: string
  storeAddress: Awaited<ReturnType<typeof addressesHere>>
}

/** The rows of a table with encrypted values, encrypted with the key of this installation, as JSON. */
export function sealRows(
  context: Context,
  { shopId, storeAddress }: SealingShop,
  table: string,
  carried: readonly CarriedRow[],
): string {
  const columns = sealedColumnsOf(table)
  const rows = carried.map(({ row, plain }) => {
    const own = { ...row }
    for (const column of columns) {
      const value = plain[column.column]
      if (value !== undefined) own[column.column] = sealValue(context, column, row, value)
    }
    if (table === digestColumn.table && plain.digest !== undefined) {
      own.digest = digestOf(context, shopId, plain.digest) ?? row.digest
    }
    if (table === 'webhook_endpoints' && plain.sealed_url !== undefined) {
      Object.assign(own, storeAddress(plain.sealed_url))
    }
    return own
  })
  return JSON.stringify(rows)
}
