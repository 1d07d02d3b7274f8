import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Context, ShopContext } from '../foundation/context.ts'
import { cutPage, offsetOf, type Page, type PageRequest, type Paging, pageRequest } from '../foundation/page.ts'
import type { Static } from '../foundation/schema.ts'
import type { Tables } from '../foundation/tables.ts'
import { countUpTo } from './count.ts'

/** Tables with the primary key `(shop_id, id)` that are read and written one record at a time. */
export type RecordTable =
  | 'ab_tests'
  | 'announcements'
  | 'automations'
  | 'campaigns'
  | 'deals'
  | 'discounts'
  | 'notes'
  | 'shopify_registrations'
  | 'webhook_endpoints'

export async function findRecord<Table extends RecordTable>(
  context: ShopContext,
  table: Table,
  id: string,
): Promise<Selectable<Tables[Table]> | undefined> {
  const { rows } = await sql<Selectable<Tables[Table]>>`
    select * from ${sql.table(table)} where shop_id = ${context.shop.id} and id = ${id}`.execute(context.db)
  return rows[0]
}

/** False if the shop has no such record. Fields that are undefined stay as they are. */
export async function updateRecord<Table extends RecordTable>(
  context: ShopContext,
  table: Table,
  id: string,
  changes: Updateable<Tables[Table]>,
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(table)} set ${sql.join(equations(changes))}
    where shop_id = ${context.shop.id} and id = ${id}
    returning id`.execute(context.db)
  return rows.length > 0
}

/** False if the shop has no such record. */
export async function deleteRecord(context: ShopContext, table: RecordTable, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from ${sql.table(table)} where shop_id = ${context.shop.id} and id = ${id}
    returning id`.execute(context.db)
  return rows.length > 0
}

/** Conditions of a search: `column = value`, except for columns whose value is undefined. */
export function matchColumns(columns: Record<string, unknown>): RawBuilder<unknown>[] {
  return equations(columns)
}

/** A condition: one of these columns contains the text, in upper or lower case. For tables that a shop keeps small. */
export function containsText(columns: readonly string[], text: string): RawBuilder<unknown> {
  const conditions = columns.map((column) => sql`strpos(lower(${sql.ref(column)}), lower(${text})) > 0`)
  return sql`(${sql.join(conditions, sql` or `)})`
}

type SortColumns = Readonly<Record<string, RawBuilder<unknown>>> & { id: RawBuilder<unknown> }

/** An order by one of these columns, as `name` or `-name`; rows that are equal follow by id. */
export function orderFor(sort: string, columns: SortColumns): RawBuilder<unknown> {
  const isDescending = sort.startsWith('-')
  const column = columns[isDescending ? sort.slice(1) : sort] ?? columns.id
  return isDescending ? sql`${column} desc nulls last, ${columns.id} desc` : sql`${column} nulls last, ${columns.id}`
}

/** Conditions and assignments have the same syntax. */
function equations(columns: object): RawBuilder<unknown>[] {
  return Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
}

export interface PageQuery {
  /** Names the count: the table, whose rows, and the filter (see `countUpTo`). */
  name: string
  /** Default: every column. */
  columns?: RawBuilder<unknown>
  /** `from … where …` */
  rows: RawBuilder<unknown>
  /** Must be unique, or rows could be on two pages. */
  orderBy: RawBuilder<unknown>
}

/** One page of a query's rows, with the total if it is within the limit of `countUpTo`. */
export async function fetchPage<Row>(context: Context, query: PageQuery, request: PageRequest): Promise<Page<Row>> {
  const { rows } = await sql<Row>`
    select ${query.columns ?? sql`*`} ${query.rows} order by ${query.orderBy}
    limit ${request.perPage + 1} offset ${offsetOf(request)}`.execute(context.db)
  return cutPage(request, rows, () => countUpTo(context, query.name, query.rows))
}

/** `fetchPage` for an API filter, which contains the page; its other fields name the count. */
export function fetchFilteredPage<Row>(
  context: Context,
  { name, ...query }: PageQuery,
  filter: Static<typeof Paging>,
): Promise<Page<Row>> {
  const { page: _page, per_page: _perPage, ...conditions } = filter
  return fetchPage(context, { ...query, name: `${name} ${JSON.stringify(conditions)}` }, pageRequest(filter))
}
