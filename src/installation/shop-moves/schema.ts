import { DateTime, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

const Passphrase = Type.String({
  minLength: 12,
  maxLength: 1_000,
  description: 'Encrypts the file, which has the secrets of the shop. Without it, the file cannot be read.',
  examples: ['four words that nobody guesses'],
})

export const ShopPause = Named(
  'ShopPause',
  Type.Object({
    paused_at: Nullable(DateTime),
    reason: Nullable(
      OneOf(['operator', 'export', 'move', 'copy'], {
        description:
          '`export`: it is being exported. `move`: it was exported in order to move. `copy`: it is an imported copy that nobody has started yet.',
      }),
    ),
  }),
)

export type ShopPause = Static<typeof ShopPause>

export const ShopExport = Type.Object({
  passphrase: Passphrase,
  move: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'The shop stays paused here, and continues where the file is imported.',
    }),
  ),
})
export type ShopExport = Static<typeof ShopExport>

export const ShopImport = Type.Object({
  passphrase: Passphrase,
  deliver_pending: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Of a copy: whether what was pending is sent when the shop is resumed. A shop that moves always continues.',
    }),
  ),
  replace_deleted: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Removes what is left of the same shop, if it was deleted here.',
    }),
  ),
})
