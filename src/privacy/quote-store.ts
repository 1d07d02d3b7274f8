import { sql } from 'kysely'
import type { ImportProblem } from '../orders/imports/schema.ts'
import type { ShopContext } from '../platform/foundation/context.ts'

export type QuotingProblem = ImportProblem & { import_id: string; filename: string }

/**
 * Import problems that quote the customer, newest imports first. It reads all problems of the shop, at most a thousand
 * per import, because a quote can be anywhere in them.
 */
export async function findQuotingProblems(
  context: ShopContext,
  pattern: string,
  limit: number,
): Promise<QuotingProblem[]> {
  const { rows } = await sql<QuotingProblem>`
    select imports.id as import_id, imports.filename, row_number as "row", column_name as "column", value,
      error_key as "key", message
    from imports
    join import_problems on import_problems.shop_id = imports.shop_id and import_problems.import_id = imports.id
    where imports.shop_id = ${context.shop.id} and imports.status <> 'receiving'
      and (value ~* ${pattern} or message ~* ${pattern} or column_name ~* ${pattern})
    order by imports.id desc, number
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** The ids of the imports after the given one. */
export async function listImportIds(context: ShopContext, afterId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from imports where shop_id = ${context.shop.id} and id > ${afterId}
    order by id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows.map(({ id }) => id)
}

/** Redacts the customer in these imports. Returns how many problems quoted them. */
export async function eraseImportQuotes(
  context: ShopContext,
  importIds: string[],
  pattern: string,
  placeholder: string,
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    update import_problems set value = regexp_replace(value, ${pattern}, ${placeholder}, 'gi'),
      column_name = regexp_replace(column_name, ${pattern}, ${placeholder}, 'gi'),
      message = regexp_replace(message, ${pattern}, ${placeholder}, 'gi')
    where shop_id = ${context.shop.id} and import_id = any(${importIds}::uuid[])
      and (value ~* ${pattern} or message ~* ${pattern} or column_name ~* ${pattern})
    returning number`.execute(context.db)
  await sql`
    update imports set filename = regexp_replace(filename, ${pattern}, ${placeholder}, 'gi'),
      ignored_columns = array(
        select regexp_replace(name, ${pattern}, ${placeholder}, 'gi')
        from unnest(ignored_columns) with ordinality as columns (name, position)
        order by position
      )
    where shop_id = ${context.shop.id} and id = any(${importIds}::uuid[])
      and (filename ~* ${pattern} or array_to_string(ignored_columns, E'\\n') ~* ${pattern})`.execute(context.db)
  return rows.length
}

/** Redacts the customer in texts of carriers: unmapped codes, and the last failure of an account. */
export async function eraseCarrierQuotes(context: ShopContext, pattern: string, placeholder: string): Promise<void> {
  await sql`
    update unmapped_codes set text = regexp_replace(text, ${pattern}, ${placeholder}, 'gi')
    where shop_id = ${context.shop.id} and text ~* ${pattern}`.execute(context.db)
  await sql`
    update provider_accounts set last_failure_detail = regexp_replace(last_failure_detail, ${pattern}, ${placeholder}, 'gi')
    where shop_id = ${context.shop.id} and last_failure_detail ~* ${pattern}`.execute(context.db)
}

/**
 * Deletes saved views that search for the customer: a view without its search is another one. Addresses write some
 * characters as codes; those of names and e-mail addresses are compared both ways.
 */
export async function deleteQuotingViews(context: ShopContext, pattern: string): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    delete from saved_views
    where shop_id = ${context.shop.id} and (
      name ~* ${pattern} or query ~* ${pattern}
      or replace(replace(replace(query, '%40', '@'), '%20', ' '), '+', ' ') ~* ${pattern}
    )
    returning name`.execute(context.db)
  return rows.length
}

export interface QuotingEntry {
  id: string
  subject_id: string | null
  subject_name: string | null
  changes: unknown
}

/** Entries of the audit log that quote the customer, starting after the given one. */
export async function listQuotingEntries(
  context: ShopContext,
  pattern: string,
  afterId: string,
  limit: number,
): Promise<QuotingEntry[]> {
  const { rows } = await sql<QuotingEntry>`
    select id, subject_id, subject_name, changes from audit_log
    where shop_id = ${context.shop.id} and id > ${afterId}
      and (changes::text ~* ${pattern} or subject_name ~* ${pattern} or subject_id ~* ${pattern})
    order by id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

export async function replaceEntries(context: ShopContext, entries: QuotingEntry[]): Promise<void> {
  await sql`
    update audit_log
    set subject_id = given.subject_id, subject_name = given.subject_name, changes = given.changes
    from json_to_recordset(${JSON.stringify(entries)}::json) as given
      (id uuid, subject_id text, subject_name text, changes jsonb)
    where audit_log.id = given.id and audit_log.shop_id = ${context.shop.id}`.execute(context.db)
}

export interface StoredResponse {
  key_id: string
  idempotency_key: string
  /** Encrypted. */
  body: string
}

/** The length of a sealed `null`, which is what an erased response contains. */
const sealedNullLength = 44

/** Responses stored for their Idempotency-Key, for at most a day, starting after the given one. */
export async function listStoredResponses(
  context: ShopContext,
  after: Pick<StoredResponse, 'key_id' | 'idempotency_key'>,
  limit: number,
): Promise<StoredResponse[]> {
  const { rows } = await sql<StoredResponse>`
    select key_id, idempotency_key, body from idempotent_requests
    where shop_id = ${context.shop.id} and (key_id, idempotency_key) > (${after.key_id}, ${after.idempotency_key})
      and length(body) > ${sql.lit(sealedNullLength)}
    order by key_id, idempotency_key
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

export async function replaceStoredResponses(context: ShopContext, responses: StoredResponse[]): Promise<void> {
  await sql`
    update idempotent_requests set body = given.body
    from json_to_recordset(${JSON.stringify(responses)}::json) as given (key_id text, idempotency_key text, body text)
    where idempotent_requests.shop_id = ${context.shop.id} and idempotent_requests.key_id = given.key_id
      and idempotent_requests.idempotency_key = given.idempotency_key`.execute(context.db)
}
