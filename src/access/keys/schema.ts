import { grantableRoles, roles } from '../../platform/foundation/roles.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

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
          'Unix seconds; 0 means that the key never expires. Default: the expiration of the key that sends this request. A new key cannot outlive that key: 0 or a later time is an error then.',
      }),
    ),
    username: Maybe(
      Type.String({
        pattern: '^[^:\\s]{1,128}$',
        description:
          'The user name to log in with. Default: the shop slug or, for a key for all shops, the user name of the caller',
        examples: ['warehouse'],
      }),
    ),
    shops: Maybe(
      Type.Array(KeyShop, {
        minItems: 1,
        maxItems: 100,
        description: 'The shops that the key gives access to. Default: the shop in the path or, without one, all shops',
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

/** Any role, because the list of all keys includes the superadmin's own key. */
const ListedShop = Type.Object({ ...KeyShop.properties, role: OneOf(roles, { examples: ['editor'] }) })

export const CreatedKey = Named(
  'CreatedApiKey',
  Type.Object({ ...keyFields, username: Type.String({ examples: ['warehouse'] }), shops: Type.Array(KeyShop) }),
)

export const KeyList = Named(
  'ApiKeyList',
  Type.Object({
    username: Type.String({ description: 'The user name of the caller', examples: ['river-and-pine'] }),
    tokens: Type.Array(
      Type.Object({
        ...keyFields,
        username: Type.String({ examples: ['warehouse'] }),
        shops: Type.Array(ListedShop, {
          description:
            'The shops of the key that the caller can see; `*` stands for all shops. If a key has a role for all shops and one in a shop, the higher role counts there.',
        }),
        last_used_at: Nullable(DateTime),
      }),
    ),
  }),
)

export const DeletedKey = Named('DeletedApiKey', Type.Object({ token_id: Type.String({ examples: ['k7Qm2xV9bT4s'] }) }))

export const SuperadminKeyRotation = Named(
  'SuperadminKeyRotation',
  Type.Object({
    former_valid_hours: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 720,
        default: 24,
        description: 'How long the former key works. 0 after a leak: not at all.',
      }),
    ),
  }),
)

export const RotatedSuperadminKey = Named(
  'RotatedSuperadminKey',
  Type.Object({
    id: Type.String({ examples: ['superadmin'] }),
    username: Type.String({ examples: ['admin'] }),
    secret: Type.String({ examples: ['dsk_Jx4…'] }),
    former_valid_until: Nullable(Type.Integer({ examples: [1_793_900_000], description: 'Unix seconds' })),
  }),
)
