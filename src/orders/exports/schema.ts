import { type Static, Type } from '../../platform/foundation/schema.ts'

const Moment = Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-01T00:00:00Z'] })

export const ExportFilter = Type.Object({
  created_from: Type.Optional(Moment),
  created_to: Type.Optional(Moment),
  updated_from: Type.Optional(Moment),
  updated_to: Type.Optional(Moment),
  include_drafts: Type.Optional(Type.Boolean({ default: true })),
})
export type ExportFilter = Static<typeof ExportFilter>
