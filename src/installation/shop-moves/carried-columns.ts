import { storedAddress } from '../../messages/recipients/address.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { type SealedColumn, sealedColumns } from '../../platform/store/sealed-columns.ts'

/** A row as JSON spells it. */
export type JsonRow = Readonly<Record<string, unknown>>

/** The columns of a table that only their own installation can read, because they are encrypted with its key. */
export function sealedColumnsOf(table: string): SealedColumn[] {
  return sealedColumns.filter((column) => column.table === table)
}

/** The plain value. */
export function openValue({ services }: Context, column: SealedColumn, row: JsonRow, stored: string): string {
  const bytes = column.as === 'base64' ? Buffer.from(stored, 'base64') : fromJsonBytes(stored)
  return services.vault.open(bytes, column.purpose(textsOf(row)))
}

/** The value encrypted with the key of this installation, in the JSON form of the column. */
export function sealValue({ services }: Context, column: SealedColumn, row: JsonRow, plain: string): string {
  const bytes = services.vault.seal(plain, column.purpose(textsOf(row)))
  return column.as === 'base64' ? bytes.toString('base64') : toJsonBytes(bytes)
}

/** The digests of addresses that get no mail. They are made again from the address, if the shop still has it. */
export const digestColumn = { table: 'mail_recipients', column: 'digest' }

export function digestOf(context: Context, shopId: string, address: string): string | undefined {
  const stored = storedAddress(context, shopId, address)
  return stored && toJsonBytes(stored.digest)
}

/** The columns that purposes are made from are texts, or null. */
function textsOf(row: JsonRow): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value : null]),
  )
}

function fromJsonBytes(text: string): Buffer {
  return Buffer.from(text.replace(/^\\x/, ''), 'hex')
}

/** As PostgreSQL spells bytes in JSON. */
export function toJsonBytes(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`
}
