import { Maybe, Named, type Static, Type } from '../../platform/foundation/schema.ts'

const OnHoldIsOrder = {
  description:
    'Whether a WooCommerce order with the status on-hold, which waits for a bank transfer or a cheque, is stored and announced. False: only once it is processing or completed.',
}

export const ShopSystemSettings = Named(
  'ShopSystemSettings',
  Type.Object({ woocommerce: Type.Object({ on_hold_is_order: Type.Boolean({ ...OnHoldIsOrder, default: true }) }) }),
)
export type ShopSystemSettings = Static<typeof ShopSystemSettings>

export const ShopSystemSettingsUpdate = Named(
  'ShopSystemSettingsUpdate',
  Type.Object({ woocommerce: Maybe(Type.Object({ on_hold_is_order: Maybe(Type.Boolean(OnHoldIsOrder)) })) }),
)
