import { grantableRoles, roles } from '../../foundation/roles.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type } from '../../foundation/schema.ts'

export const KeyId = Type.String({ minLength: 1, maxLength: 16 })

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
        description:
          'Unix seconds; 0 means the key never expires. A key cannot make one that outlives it: absent, it is the expiration of the key that asks; 0 or a later one is an error.',
      }),
    ),
    username: Maybe(
      Type.String({
        pattern: '^[^:\\s]{1,128}$',
        description:
          'The user name to log in with; the shop slug when absent, for a key of all shops that of the caller',
        examples: ['warehouse'],
      }),
    ),
    shops: Maybe(
      Type.Array(KeyShop, {
        minItems: 1,
        maxItems: 100,
        description: 'The shops the key is for; when absent this shop, or all shops where the path names none',
      }),
    ),
  }),
)

export type KeyCreation = Static<typeof KeyCreation>

const keyFields = {
  id: Type.String({ minLength: 1, maxLength: 16, examples: ['k7Qm2xV9bT4s'] }),
  secret: Type.String({ examples: ['dsk_Jx4…'] }),
  expiration: Type.Integer({ minimum: 0, examples: [0] }),
}

/** Only the superadmin's own key has that role, and only the list of all keys shows it. */
const ListedShop = Type.Object({ ...KeyShop.properties, role: OneOf(roles, { examples: ['editor'] }) })

export const CreatedKey = Named(
  'CreatedApiKey',
  Type.Object({ ...keyFields, username: Type.String({ examples: ['warehouse'] }), shops: Type.Array(KeyShop) }),
)

export const KeyList = Named(
  'ApiKeyList',
  Type.Object({
    username: Type.String({ description: 'Who asks', examples: ['river-and-pine'] }),
    tokens: Type.Array(
      Type.Object({
        ...keyFields,
        username: Type.String({ examples: ['warehouse'] }),
        shops: Type.Array(ListedShop, {
          description:
            'All shops the key is for that the caller may see; `*` stands for all shops. In a shop, the higher of its two roles counts.',
        }),
        last_used_at: Nullable(DateTime),
      }),
    ),
  }),
)

export const DeletedKey = Named('DeletedApiKey', Type.Object({ token_id: Type.String({ examples: ['k7Qm2xV9bT4s'] }) }))
