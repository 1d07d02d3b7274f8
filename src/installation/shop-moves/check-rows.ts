import { ArchiveError } from '../../platform/foundation/archive/format.ts'
import { shown } from '../../platform/foundation/archive/read.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import { isRecord } from '../../platform/foundation/read-json.ts'
import { grantableRoles } from '../../platform/foundation/roles.ts'
import type { ShopColumn } from '../../platform/store/shop-tables.ts'
import { shopIdIn } from '../../shops/images/rules.ts'
import { isImageKey } from '../../shops/images/schema.ts'
import type { CarriedRow } from './archive-entries.ts'
import { digestColumn, type JsonRow, sealedColumnsOf } from './carried-columns.ts'

/** The shop of the rows, and the keys and people that they may refer to. */
export interface Known {
  shopId: string
  keyIds: ReadonlySet<string>
  personIds: ReadonlySet<string>
}

/** Throws unless the row has only columns of the table, with values that they can have. */
export function checkColumns(table: string, columns: readonly ShopColumn[], row: unknown): asserts row is JsonRow {
  if (!isRecord(row)) throw new ArchiveError(`The file has something in the table ${table} that is not a row.`)
  for (const [name, value] of Object.entries(row)) {
    const column = columns.find((each) => each.name === name)
    if (column === undefined) throw new ArchiveError(`The table ${table} has no column "${shown(name)}".`)
    if (value !== null && !isOfType(column.type, value)) throw notPossible(table, name)
  }
}

/** Throws unless the row belongs to the shop, and refers to nothing of another one. */
export function checkRow(table: string, row: JsonRow, known: Known): void {
  if (row.shop_id !== known.shopId) throw new ArchiveError(`The file has a row of another shop in the table ${table}.`)
  for (const [name, isPossible] of Object.entries(references[table] ?? {})) {
    if (!isPossible(row[name], known, row)) throw notPossible(table, name)
  }
}

/**
 * Throws unless every value of an encrypted column comes as plain text: one that is encrypted already was not sealed by
 * this installation for this row.
 */
export function checkPlain(table: string, carried: unknown): asserts carried is CarriedRow {
  const { row, plain, ...others } = (isRecord(carried) ? carried : {}) as Partial<CarriedRow>
  if (!isRecord(row) || !isRecord(plain) || Object.keys(others).length > 0) {
    throw new ArchiveError(`The file has something in the table ${table} that is not a row.`)
  }
  const sealed = sealedColumnsOf(table).map(({ column }) => column)
  const carries = table === digestColumn.table ? [digestColumn.column] : sealed
  for (const [name, value] of Object.entries(plain)) {
    if (!carries.includes(name) || typeof value !== 'string') throw notPossible(table, name)
  }
  for (const name of sealed) {
    // A request that was still being handled has no response yet.
    const isEmpty = row[name] === null || row[name] === undefined || row[name] === ''
    if (isEmpty === Object.hasOwn(plain, name)) throw notPossible(table, name)
  }
}

function notPossible(table: string, column: string): ArchiveError {
  return new ArchiveError(`The file has a value in ${table}.${shown(column)} that an export does not write.`)
}

type IsPossible = (value: unknown, known: Known, row: JsonRow) => boolean

const isGrantable: IsPossible = (value) => grantableRoles.some((role) => role === value)
const isKnownPerson: IsPossible = (value, { personIds }) => typeof value === 'string' && personIds.has(value)
const isKnownKey: IsPossible = (value, { keyIds }) => typeof value === 'string' && keyIds.has(value)

/** The tables that refer to keys and people, which the file has to bring, and the keys of images. */
const references: Readonly<Record<string, Readonly<Record<string, IsPossible>>>> = {
  api_key_shops: { key_id: isKnownKey, role: isGrantable },
  person_shops: { person_id: isKnownPerson, role: isGrantable },
  team_mail_subscriptions: { person_id: isKnownPerson },
  // Some go to an address that the shop's settings name.
  team_mails: { person_id: (value, known, row) => value === null || isKnownPerson(value, known, row) },
  images: {
    key: (value, { shopId }) => typeof value === 'string' && isImageKeyOf(shopId, value),
    image_type: (value, _known, { key }) => value === String(key).split('-')[0],
    media_type: (value, _known, { key }) => value === imageMediaTypeOf(String(key)),
  },
}

/** They are inserted together with the keys and people. */
export const tablesWithReferences: readonly string[] = [
  'api_key_shops',
  'person_shops',
  'team_mail_subscriptions',
  'team_mails',
]

export function isImageKeyOf(shopId: string, key: string): boolean {
  return isImageKey(key) && shopIdIn(key) === shopId
}

/** Of a well-formed key. */
export function imageMediaTypeOf(key: string): string {
  const extension = key.slice(key.lastIndexOf('.') + 1)
  return extension === 'jpg' ? 'image/jpeg' : `image/${extension}`
}

function isOfType(type: string, value: unknown): boolean {
  if (type.endsWith('[]')) {
    const element = type.slice(0, -2)
    return Array.isArray(value) && value.every((each) => each !== null && isOfType(element, each))
  }
  return types[type]?.(value) ?? true
}

const isNumber = (value: unknown) => typeof value === 'number'
const isText = (value: unknown) => typeof value === 'string'

/** As `to_jsonb` writes them. No column has a time without an end, such as `infinity`, which readers would not expect. */
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  uuid: (value) => typeof value === 'string' && isUuid(value),
  text: isText,
  boolean: (value) => typeof value === 'boolean',
  smallint: isNumber,
  integer: isNumber,
  bigint: isNumber,
  'double precision': isNumber,
  bytea: (value) => typeof value === 'string' && /^\\x[0-9a-f]*$/.test(value),
  date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  'timestamp with time zone': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.+-]{8,30}$/.test(value),
}
