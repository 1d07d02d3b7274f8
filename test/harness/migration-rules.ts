import { splitStatements } from '../../src/platform/store/migrate.ts'
import type { Migration } from '../../src/platform/store/migrations.ts'

/** Statements that a migration must not use while nodes work, with what to do instead. */
const rules: [forbidden: RegExp, advice: string][] = [
  [
    /^create (unique )?index (?!concurrently)/,
    'create index concurrently if not exists, in a file "-- outside a transaction"',
  ],
  [/^drop index (?!concurrently)/, 'drop index concurrently if exists, in a file "-- outside a transaction"'],
  [
    /\badd (constraint \S+ )?(check|foreign key|unique|primary key|exclude)\b(?!.*\bnot valid\b)/,
    'add it not valid, and validate it outside a transaction',
  ],
  [/\balter (column )?\S+ (set data )?type\b/, 'add a column, fill it, and use it from the next version on'],
  [/\balter (column )?\S+ set not null\b/, 'add a check that is not valid, and validate it outside a transaction'],
  [
    /\badd (column )?(if not exists )?\S+ .*\bgenerated always as \(/,
    'rewrites the table: fill a plain column by a trigger',
  ],
  [
    /\badd (column )?(if not exists )?\S+ .*\bdefault (gen_random_uuid|clock_timestamp|random|nextval)\b/,
    'rewrites the table: add it without the default',
  ],
  [
    /\badd (column )?(if not exists )?\S+ (?!.*\bdefault\b).*\bnot null\b/,
    'the previous version does not write it: give it a default',
  ],
  [
    /\bdrop (column|expression)\b|\brename (column|to)\b|^drop table\b/,
    'the previous version uses it: a later version may remove it',
  ],
  // Tables with a few rows per shop, such as automations, are changed at once.
  [
    /^(update (?!(automations|webhook_endpoints) set conditions =)|delete from|truncate|vacuum full|cluster|lock)\b/,
    'change rows in batches, by a job',
  ],
  [/^(reindex|refresh materialized view) (?!.*concurrently)/, 'do it concurrently, outside a transaction'],
]

/** Statements that can be repeated after a try that was killed. */
const repeatable =
  /^(create (unique )?index concurrently if not exists|drop index concurrently if exists|alter table \S+ validate constraint) /

/** The problems of a migration: each statement with the advice. */
export function findLongLocks({
  text,
  isOutsideTransaction,
}: Pick<Migration, 'text' | 'isOutsideTransaction'>): string[] {
  const statements = splitStatements(text).map((statement) => statement.toLowerCase().replace(/\s+/g, ' '))
  // Nobody waits for a table that this migration creates.
  const created = new Set(statements.map((statement) => /^create table (\w+)/.exec(statement)?.[1]))
  const onCreated = (statement: string) =>
    created.has(/^(?:alter table|create (?:unique )?index \w+ on|update|delete from) (\w+)/.exec(statement)?.[1] ?? '')
  return statements.flatMap((statement) => {
    if (isOutsideTransaction) return repeatable.test(statement) ? [] : [`${statement}: cannot be repeated`]
    if (onCreated(statement)) return []
    if (/^create (unique )?index concurrently/.test(statement))
      return [`${statement}: begin the file with "-- outside a transaction"`]
    // Bodies of functions are not run by the migration.
    if (/^create (or replace )?(function|trigger|table)\b/.test(statement)) return []
    return rules.filter(([forbidden]) => forbidden.test(statement)).map(([, advice]) => `${statement}: ${advice}`)
  })
}
