import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

const actorKinds = ['key', 'person', 'automation', 'system'] as const

const Text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [example] })

export const AuditFilter = PagedQuery({
  actor: Type.Optional(Text('Name of the key, person or automation, regardless of case', 'ada')),
  actor_id: Type.Optional(Text('Id of the key, person or automation', 'Yq3aVw81kLmP')),
  action: Type.Optional(Text('Name of the operation', 'updateWebhook')),
  area: Type.Optional(Text('Section of the API reference', 'Webhooks')),
  subject_kind: Type.Optional(Text('Kind of what was changed', 'webhook')),
  subject_id: Type.Optional(Text('Id of what was changed', '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d')),
  from: Type.Optional({ ...DateTime, description: 'Changes at this time or later' }),
  to: Type.Optional({ ...DateTime, description: 'Changes before this time' }),
})
export type AuditFilter = Static<typeof AuditFilter>

const Change = Type.Object({
  before: Type.Unknown({ description: 'Null if it was not set, or if the record is new', examples: ['active'] }),
  after: Type.Unknown({
    description: 'Null if it is not set any more, or if the record is gone',
    examples: ['inactive'],
  }),
})

export const AuditEntry = Named(
  'AuditEntry',
  Type.Object({
    uuid: Uuid,
    recorded_at: DateTime,
    actor: Type.Object(
      {
        kind: OneOf(actorKinds, { examples: ['key'] }),
        id: Nullable(Type.String({ description: 'Null for the service itself', examples: ['Yq3aVw81kLmP'] })),
        name: Nullable(Type.String({ description: 'As it was called then', examples: ['ada'] })),
      },
      { description: 'Who made the change: an API key, a person, an automation, or the service or a connected system' },
    ),
    action: Type.String({ description: 'Name of the operation', examples: ['updateWebhook'] }),
    area: Type.String({ description: 'Its section of the API reference', examples: ['Webhooks'] }),
    subject: Type.Object({
      kind: Type.String({ examples: ['webhook'] }),
      id: Nullable(Type.String({ examples: ['0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'] })),
      name: Nullable(Type.String({ description: 'As it was called then', examples: ['https://shop.example/hook'] })),
    }),
    changes: Type.Record(Type.String(), Change, {
      description:
        'The fields that changed, nested ones by their path. Secrets are masked, values that may be about a customer are replaced by `[personal data]`, and long values are cut.',
      examples: [{ status: { before: 'active', after: 'inactive' } }],
    }),
  }),
)
export type AuditEntry = Static<typeof AuditEntry>
