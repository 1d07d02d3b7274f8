import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

const KeyId = Type.String({ examples: ['3fa29c01'], description: 'Tells keys apart, and nothing about them.' })
const Count = Type.Integer({ minimum: 0, examples: [12] })

export const EncryptionState = Named(
  'EncryptionState',
  Type.Object({
    source: OneOf(['setting', 'data_folder'], {
      description: '`setting`: the keys are in ENCRYPTION_KEY. `data_folder`: the service made them, in DATA_DIR.',
    }),
    current_key: KeyId,
    keys: Type.Array(
      Type.Object({
        id: KeyId,
        is_current: Type.Boolean({ description: 'It encrypts. The others only decrypt.' }),
        is_missing: Type.Boolean({ description: 'Values are encrypted with it, and it is not in the list.' }),
        values: Count,
        columns: Type.Array(
          Type.Object({ column: Type.String({ examples: ['webhook_endpoints.secret'] }), values: Count }),
        ),
      }),
    ),
    outdated_values: Type.Integer({
      minimum: 0,
      examples: [0],
      description: 'How many are not encrypted with the current key. If 0, the other keys can be removed.',
    }),
  }),
)
export type EncryptionState = Static<typeof EncryptionState>

export const ReencryptionRequest = Named(
  'ReencryptionRequest',
  Type.Object({
    limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, default: 200 })),
    after: Maybe(
      Type.String({ maxLength: 2_000, examples: ['eyJjb2x1bW4iOjF9'], description: 'The `next` of the batch before.' }),
    ),
  }),
)

export const Reencryption = Named(
  'Reencryption',
  Type.Object({
    re_encrypted: Count,
    unreadable: Type.Integer({ minimum: 0, examples: [0], description: 'Encrypted with a key that is missing.' }),
    next: Nullable(
      Type.String({
        examples: ['eyJjb2x1bW4iOjF9'],
        description: 'For the next batch; null if all were gone through.',
      }),
    ),
  }),
)

export const SigningKeyRotation = Named(
  'SigningKeyRotation',
  Type.Object({
    former_valid_days: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        default: 90,
        description: 'How long addresses that were made before still work. 0 after a leak: two minutes.',
      }),
    ),
  }),
)

export const SigningKeyList = Named(
  'SigningKeyList',
  Type.Object({
    keys: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['original'] }),
        signs_from: DateTime,
        valid_until: Nullable(DateTime),
      }),
      { description: 'Newest first.' },
    ),
  }),
)
