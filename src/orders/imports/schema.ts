import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

const importStatuses = ['queued', 'running', 'completed', 'failed', 'set_aside', 'cancelled'] as const

/** Further problems are counted, but not stored. */
export const maxProblems = 1_000

const DryRun = Type.Optional(
  Type.Boolean({ default: false, description: 'Checks everything and writes nothing', examples: [true] }),
)

export const ImportForm = Named('OrderImport', Type.Object({ dry_run: DryRun }))
export const ImportQuery = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ description: 'The same as the field of the form' })),
})

export const ImportProblem = Named(
  'ImportProblem',
  Type.Object({
    row: Type.Integer({ description: 'As a spreadsheet counts: the header is row 1', examples: [4] }),
    column: Nullable(Type.String({ description: 'As the file calls it; null: the whole row', examples: ['zip_code'] })),
    value: Nullable(Type.String({ examples: ['-'] })),
    key: Type.String({ description: 'The error key of the API for the same', examples: ['zip_code_invalid'] }),
    message: Type.String({ examples: ['must be the zip code of the address'] }),
  }),
)
export type ImportProblem = Static<typeof ImportProblem>

const columnSubjects = ['order', 'address', 'parcel', 'product'] as const

export const ImportColumn = Named(
  'ImportColumn',
  Type.Object({
    name: Type.String({ examples: ['zip_code'] }),
    about: OneOf(columnSubjects, { examples: ['address'] }),
    kind: OneOf(['text', 'number', 'integer', 'list'], {
      description: 'list: several values with | between them',
      examples: ['text'],
    }),
    is_required: Type.Boolean({ examples: [false] }),
    aliases: Type.Array(Type.String({ examples: ['postal_code'] }), {
      description: 'Other names that are understood',
    }),
    example: Type.String({ examples: ['10115'] }),
  }),
)
export type ImportColumn = Static<typeof ImportColumn>

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const summary = {
  id: Uuid,
  filename: Type.String({ examples: ['orders.csv'] }),
  size_bytes: Type.Integer({ examples: [48_210] }),
  bytes_read: Type.Integer({ description: 'How far it has come; size_bytes at the end', examples: [48_210] }),
  status: OneOf(importStatuses, {
    description:
      'failed: the file could not be read at all, or to its end; set_aside: reading on was begun twice and got nowhere. What was written before an import ended stays',
  }),
  reason: Nullable(
    Type.String({
      description: 'Why a failed import, or one that was set aside, ended before its end',
      examples: ['The column order_number is missing: the first row must name it.'],
    }),
  ),
  dry_run: Type.Boolean({ examples: [false] }),
  rows: count('Rows of data that have been read', 120),
  created: count('Orders', 80),
  updated: count('Orders', 10),
  unchanged: count('Orders that were identical already', 9),
  failed: count('Orders, and rows that belong to none, that have a problem; nothing of them is written', 1),
  problem_count: count('All of them, including those that are not stored', 1),
  ignored_columns: Type.Array(Type.String({ examples: ['Notes'] }), {
    description: 'Columns of the file that are not known',
  }),
  created_at: DateTime,
  finished_at: Nullable(DateTime),
}

export const ImportSummary = Named('ImportSummary', Type.Object(summary))
export type ImportSummary = Static<typeof ImportSummary>

export const Import = Named(
  'Import',
  Type.Object({
    ...summary,
    problems: Type.Array(ImportProblem, {
      description: `The first ${maxProblems.toLocaleString('en')}, by row`,
    }),
  }),
)
export type Import = Static<typeof Import>
