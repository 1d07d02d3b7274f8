import { grantableRoles } from '../../foundation/roles.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, Type } from '../../foundation/schema.ts'

const KeyRole = OneOf(grantableRoles, { examples: ['editor'] })

const KeyShop = Type.Object({
  shop_slug: Type.String({ examples: ['river-and-pine'], description: '`*` stands for all shops (superadmin only)' }),
  role: KeyRole,
})

export const KeyCreation = Named(
  'ApiKeyCreation',
  Type.Object({
    role: Type.Optional(Nullable(OneOf(grantableRoles, { default: 'admin' }))),
    expiration: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 253_402_300_799,
        default: 0,
        description: 'Unix seconds; 0 means the key never expires',
      }),
    ),
    username: Maybe(
      Type.String({
        pattern: '^[^:\\s]{1,128}$',
        description: 'The user name to log in with; the shop slug when absent',
        examples: ['warehouse'],
      }),
    ),
    shops: Maybe(
      Type.Array(KeyShop, {
        minItems: 1,
        maxItems: 100,
        description: 'The shops the key is for; this shop when absent',
      }),
    ),
  }),
)

const keyFields = {
  id: Type.String({ minLength: 1, maxLength: 16, examples: ['k7Qm2xV9bT4s'] }),
  secret: Type.String({ examples: ['dsk_Jx4…'] }),
  shops: Type.Array(KeyShop),
  expiration: Type.Integer({ minimum: 0, examples: [0] }),
}

export const CreatedKey = Named(
  'CreatedApiKey',
  Type.Object({ ...keyFields, username: Type.String({ examples: ['warehouse'] }) }),
)

export const KeyList = Named(
  'ApiKeyList',
  Type.Object({
    username: Type.String({ description: 'Who asks', examples: ['river-and-pine'] }),
    tokens: Type.Array(
      Type.Object({
        ...keyFields,
        username: Type.String({ examples: ['warehouse'] }),
        last_used_at: Nullable(DateTime),
      }),
    ),
  }),
)

export const DeletedKey = Named('DeletedApiKey', Type.Object({ token_id: Type.String({ examples: ['k7Qm2xV9bT4s'] }) }))
