import { byName } from '../../adapters/description.ts'
import { describedShopSystems, type SigningSystem, signingSystems } from '../../adapters/shop-systems/registry.ts'
import type { ShopSystemDescription } from '../../adapters/shop-systems/shop-system.ts'
import { type Operation, operation } from '../../platform/foundation/operation.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { expectSecret, receive } from './receive.ts'
import { appliedMessages } from './schema.ts'

const signature = "Signed with the shop's webhook secret over the bytes of the body."

const descriptions = byName(describedShopSystems, (described): ShopSystemDescription => described)

/** One operation for each shop system that signs with the shop's secret. */
export const inboundOperations: readonly Operation[] = signingSystems.map(receiveFrom)

function receiveFrom(name: SigningSystem): Operation {
  const { label, webhook } = descriptions[name]
  const route: `POST /v1/inbound/{slug}/${SigningSystem}` = `POST /v1/inbound/{slug}/${name}`
  return operation({
    name: `receive${label}Webhook`,
    summary: `Receive a ${label} webhook`,
    description: [signature, webhook?.description, appliedMessages].filter(Boolean).join(' '),
    area: 'Shop systems',
    route,
    needs: 'nobody',
    signed: true,
    ...(webhook ? { messageExample: webhook.example } : {}),
    reply: NullReply,
    errors: ['order_exists'],
    expects: (context) => expectSecret(context, name),
    audit: { none: 'The timeline of the shipment records it.' },
    handle: (context, { message }) => receive(context, name, message),
  })
}
