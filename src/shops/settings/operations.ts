import { segmentFetchers, segmentSources } from '../../adapters/marketing/registry.ts'
import { labelOf } from '../../adapters/systems.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { requestEnrolment } from '../../orders/shipments/enrol-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { given } from '../../platform/foundation/given.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { announceOffers } from '../offer-versions/store.ts'
import {
  type Integration,
  integrations,
  inWords,
  laterReceivers,
  listedIntegrations,
  type OfTriggerReceivers,
  recordOf,
  segmentsOf,
  segmentWarnings,
} from './integrations.ts'
import { BrandPalette, BrandPaletteUpdate, completePalette, paletteColors } from './palette.ts'
import {
  CampaignSettings,
  CampaignSettingsUpdate,
  CarrierSettings,
  CarrierSettingsUpdate,
  SegmentSwitchesReply,
  SegmentSwitchesUpdate,
  ShopSettings,
  TriggerSwitches,
  TriggerSwitchesUpdate,
} from './schema.ts'
import {
  getAllTriggerSettings,
  getSettings,
  mergePalette,
  switchIntegrations,
  switchRecommendations,
  switchShipmentUpdates,
  type TriggerRecord,
} from './store.ts'

export const getShopSettings = operation({
  name: 'getSettings',
  summary: 'Get the settings of a shop',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings',
  needs: 'viewer',
  reply: ShopSettings,
  async handle(context) {
    const settings = await getSettings(context, context.shop.id)
    const triggers = await getAllTriggerSettings(context, context.shop.id)
    const segments = segmentsOf(triggers)
    const on = integrations.filter((integration) => segments[integration])
    return {
      carriers: { shipment_updates: settings.shipmentUpdates },
      triggers: switchesOf(triggers, 'status'),
      segments,
      brand_palette: completePalette(settings.palette),
      ...segmentWarnings(on, (name) => ['segments', name]),
    }
  },
})

export const updateCarrierSettings = operation({
  name: 'updateCarrierSettings',
  summary: 'Switch shipment updates from carriers on or off',
  description:
    'Switching off takes effect at once: replies to requests in flight are not recorded. Switching on includes the shipments of the last 90 days that are in transit.',
  area: 'Settings',
  route: 'PATCH /v1/shops/{slug}/settings/carriers',
  needs: 'admin',
  body: CarrierSettingsUpdate,
  reply: CarrierSettings,
  audit: {
    kind: 'settings',
    id: () => 'carriers',
    async read(context) {
      return { shipment_updates: (await getSettings(context, context.shop.id)).shipmentUpdates }
    },
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const { shipment_updates } = body
      if (typeof shipment_updates === 'boolean') {
        await switchShipmentUpdates(context, context.shop.id, shipment_updates)
        if (shipment_updates) await requestEnrolment(context, context.shop.id, context.now)
        await context.services.announce(context, { kind: 'tracking', shopId: context.shop.id })
      }
      const { shipmentUpdates } = await getSettings(context, context.shop.id)
      return { shipment_updates: shipmentUpdates }
    }),
})

export const updateTriggerSwitches = operation({
  name: 'updateTriggerSwitches',
  summary: 'Switch which integrations receive events',
  description:
    'The same switch as `status` of each integration. Integrations that are absent or null stay as they are.',
  area: 'Settings',
  route: 'PATCH /v1/shops/{slug}/settings/triggers',
  needs: 'admin',
  body: TriggerSwitchesUpdate,
  reply: TriggerSwitches,
  audit: auditedSwitches('triggers', 'status'),
  handle: (context, { body }) => flip(context, 'status', chosen(body, [...integrations, mailReceiver])),
})

const withoutSwitch = integrations.filter((name) => !segmentSources.includes(name))
const withoutFetch = segmentSources.filter((name) => !segmentFetchers.includes(name))
const labelsOf = (names: readonly Integration[]) => inWords(names.map(labelOf))

export const updateSegmentSwitches = operation({
  name: 'updateSegmentSwitches',
  summary: 'Switch which integrations segments are fetched from',
  description: `The same switch as \`segments_enabled\` of each integration. Integrations that are absent or null stay as they are; ${labelsOf(withoutSwitch)} has no segments to fetch. ${labelsOf(withoutFetch)} have no API call that returns the segments of a customer: their switches are stored, nothing is fetched, and \`warnings\` says so.`,
  area: 'Settings',
  route: 'PATCH /v1/shops/{slug}/settings/segments',
  needs: 'admin',
  body: SegmentSwitchesUpdate,
  reply: SegmentSwitchesReply,
  audit: auditedSwitches('segments', 'segments_enabled'),
  async handle(context, { body }) {
    const switches = await flip(context, 'segments_enabled', chosen(body, segmentSources))
    const on = segmentSources.filter((name) => switches[name])
    return { ...switches, ...segmentWarnings(on, (name) => [name]) }
  },
})

export const updateCampaignSettings = operation({
  name: 'updateCampaignSettings',
  summary: 'Switch dynamic campaigns on or off',
  description: 'Null is stored as null: neither on nor off was chosen.',
  area: 'Settings',
  route: 'PATCH /v1/shops/{slug}/settings/campaigns',
  needs: 'admin',
  body: CampaignSettingsUpdate,
  reply: CampaignSettings,
  audit: {
    kind: 'settings',
    id: () => 'campaigns',
    async read(context) {
      const { productRecommendations } = await getSettings(context, context.shop.id)
      return { product_recommendations_enabled: productRecommendations }
    },
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const { product_recommendations_enabled } = body
      if (product_recommendations_enabled !== undefined) {
        await announceOffers(context)
        await switchRecommendations(context, context.shop.id, product_recommendations_enabled)
      }
      const { productRecommendations } = await getSettings(context, context.shop.id)
      return { product_recommendations_enabled: productRecommendations }
    }),
})

export const getBrandPalette = operation({
  name: 'getBrandPalette',
  summary: 'Get the colours of a shop',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/brand-palette',
  needs: 'viewer',
  reply: BrandPalette,
  async handle(context) {
    const { palette } = await getSettings(context, context.shop.id)
    return completePalette(palette)
  },
})

export const updateBrandPalette = operation({
  name: 'updateBrandPalette',
  summary: 'Change the colours of a shop',
  description: 'Only the given colours change; null restores the default of a colour.',
  area: 'Settings',
  route: 'PATCH /v1/shops/{slug}/settings/brand-palette',
  needs: 'admin',
  body: BrandPaletteUpdate,
  reply: BrandPalette,
  audit: {
    kind: 'settings',
    id: () => 'brand-palette',
    async read(context) {
      return completePalette((await getSettings(context, context.shop.id)).palette)
    },
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      await mergePalette(context, context.shop.id, given(body, paletteColors))
      const { palette } = await getSettings(context, context.shop.id)
      return completePalette(palette)
    }),
})

/** The switches of all integrations, for the audit log. */
function auditedSwitches(id: string, column: 'status' | 'segments_enabled') {
  return {
    kind: 'settings',
    id: () => id,
    async read(context: ShopContext): Promise<object> {
      const triggers = await getAllTriggerSettings(context, context.shop.id)
      return switchesOf(triggers, column)
    },
  }
}

type Switched = Integration | typeof mailReceiver

/** Of every integration that is listed or was set, and of e-mail if it was set; it has no segments. */
function switchesOf(triggers: OfTriggerReceivers<TriggerRecord>, column: 'status' | 'segments_enabled') {
  if (column === 'segments_enabled') return segmentsOf(triggers)
  const isSet = laterReceivers.filter((receiver) => triggers[receiver] !== undefined)
  return {
    ...recordOf(listedIntegrations, (integration) => triggers[integration].status),
    ...recordOf(isSet, (receiver) => triggers[receiver]?.status === true),
  }
}

/** Sets a switch of some integrations and returns it for all. */
async function flip(
  context: ShopContext,
  column: 'status' | 'segments_enabled',
  switches: Partial<Record<Switched, boolean>>,
): Promise<ReturnType<typeof switchesOf>> {
  return inTransaction(context, async (context) => {
    await switchIntegrations(context, context.shop.id, column, switches)
    const triggers = await getAllTriggerSettings(context, context.shop.id)
    return switchesOf(triggers, column)
  })
}

/** The switches that a request sets: absent and null change nothing. */
function chosen<Name extends Switched>(
  body: Partial<Record<Name, boolean | null>>,
  names: readonly Name[],
): Partial<Record<Switched, boolean>> {
  const switches: Partial<Record<Switched, boolean>> = {}
  for (const name of names) {
    const isOn = body[name]
    if (typeof isOn === 'boolean') switches[name] = isOn
  }
  return switches
}
