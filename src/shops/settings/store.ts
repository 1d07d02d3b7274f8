import { sql } from 'kysely'
import type { mailReceiver } from '../../delivery/queue/delivery.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { CarrierProviders, MappingData } from './bundle-schema.ts'
import {
  defaultStaleThreshold,
  type Integration,
  isLater,
  type LaterReceiver,
  laterReceivers,
  type NotifiedReceiver,
  notifiedReceivers,
  type OfTriggerReceivers,
  recordOf,
  type TriggerReceiver,
} from './integrations.ts'
import type { BrandPalette } from './palette.ts'

export interface SettingsRecord {
  shipmentUpdates: boolean
  productRecommendations: boolean | null
  /** Only the colours that the merchant has chosen. */
  palette: Partial<BrandPalette>
  mappings: MappingData
  /** Only what differs from the defaults. */
  carriers: Partial<CarrierProviders>
}

export interface TriggerRecord {
  status: boolean
  trigger_delivered_all_events: boolean
  stale_event_threshold: number
  segments_enabled: boolean
  extra: TriggerExtra
}

/** The fields that not every integration has: those here, and the own setting of an integration by its name. */
export interface TriggerExtra {
  [setting: string]: string | boolean | null | undefined
  use_proxy?: boolean
  shipment_group_key?: 'shipment_id' | 'tracking_number' | 'external_shipment_id'
}

/** The settings of a new shop: defaults, except for what its creation set. */
export async function createShopSettings(
  context: Context,
  shopId: string,
  initial: { shipmentUpdates: boolean; triggers: Partial<Record<NotifiedReceiver, boolean>> },
): Promise<void> {
  await context.db
    .insertInto('shop_settings')
    .values({ shop_id: shopId, shipment_updates: initial.shipmentUpdates, inbound_secret: null })
    .execute()
  await context.db
    .insertInto('trigger_settings')
    .values(
      notifiedReceivers.map((integration) => ({
        ...unsetTrigger(integration),
        shop_id: shopId,
        integration,
        // Webhook endpoints are switched on and off one by one; the receiver as a whole starts live.
        status: initial.triggers[integration] ?? integration === 'webhook',
      })),
    )
    .execute()
}

export async function getSettings(context: Context, shopId: string): Promise<SettingsRecord> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select(['shipment_updates', 'product_recommendations_enabled', 'brand_palette', 'mappings', 'carriers'])
    .executeTakeFirstOrThrow()
  return {
    shipmentUpdates: row.shipment_updates,
    productRecommendations: row.product_recommendations_enabled,
    // The three are written in this file only, each from a value of its type.
    palette: row.brand_palette as Partial<BrandPalette>,
    mappings: row.mappings as MappingData,
    carriers: row.carriers as Partial<CarrierProviders>,
  }
}

export async function switchShipmentUpdates(context: Context, shopId: string, isOn: boolean): Promise<void> {
  await context.db.updateTable('shop_settings').set({ shipment_updates: isOn }).where('shop_id', '=', shopId).execute()
}

/** Updates the given carrier settings. */
export async function mergeCarrierSettings(
  context: Context,
  shopId: string,
  carriers: Partial<CarrierProviders>,
): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ carriers: sql`carriers || ${JSON.stringify(carriers)}::jsonb` })
    .where('shop_id', '=', shopId)
    .execute()
}

/** Whether a shop gets updates from carriers, and from which providers. */
export interface ShopCarrierSettings {
  isOn: boolean
  /** Only what differs from the defaults. */
  carriers: Partial<CarrierProviders>
}

/**
 * The carrier settings of these shops. With `isLocked` they cannot change until the transaction ends: a merchant who
 * switches something off waits for it, and later results are not recorded.
 */
export async function findCarrierSettings(
  context: Context,
  shopIds: string[],
  options: { isLocked: boolean },
): Promise<Map<string, ShopCarrierSettings>> {
  const rows = await context.db
    .selectFrom('shop_settings')
    .innerJoin('shops', 'shops.id', 'shop_settings.shop_id')
    .where('shop_id', 'in', shopIds)
    .orderBy('shop_id')
    .select(['shop_id', 'shipment_updates', 'carriers', 'deleted_at', 'paused_at'])
    .$if(options.isLocked, (query) => query.forShare('shop_settings'))
    .execute()
  return new Map(
    rows.map((row) => [
      row.shop_id,
      // Written in this file only.
      {
        isOn: row.shipment_updates && row.deleted_at === null && row.paused_at === null,
        carriers: row.carriers as Partial<CarrierProviders>,
      },
    ]),
  )
}

export async function switchRecommendations(context: Context, shopId: string, isOn: boolean | null): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ product_recommendations_enabled: isOn })
    .where('shop_id', '=', shopId)
    .execute()
}

/** Updates the given colours; null restores the default of a colour. */
export async function mergePalette(
  context: Context,
  shopId: string,
  colors: Partial<Record<keyof BrandPalette, string | null>>,
): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ brand_palette: sql`jsonb_strip_nulls(brand_palette || ${JSON.stringify(colors)}::jsonb)` })
    .where('shop_id', '=', shopId)
    .execute()
}

export async function replaceMappings(context: Context, shopId: string, mappings: MappingData): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ mappings: JSON.stringify(mappings) })
    .where('shop_id', '=', shopId)
    .execute()
}

export async function getAllTriggerSettings(
  context: Context,
  shopId: string,
): Promise<OfTriggerReceivers<TriggerRecord>> {
  const rows = await context.db.selectFrom('trigger_settings').where('shop_id', '=', shopId).selectAll().execute()
  const byIntegration = new Map(rows.map((row) => [row.integration, row]))
  const records = recordOf(notifiedReceivers, (receiver) => {
    const row = byIntegration.get(receiver)
    if (row === undefined) throw new Error(`shop ${shopId} has no trigger settings of ${receiver}`)
    return { ...row, extra: row.extra as TriggerExtra } // written in this file only
  })
  const later: Partial<Record<LaterReceiver, TriggerRecord>> = {}
  for (const receiver of laterReceivers) {
    const row = byIntegration.get(receiver)
    if (row) later[receiver] = { ...row, extra: row.extra as TriggerExtra } // the same
  }
  return { ...records, ...later }
}

export async function getTriggerSettings(
  context: Context,
  shopId: string,
  receiver: TriggerReceiver,
): Promise<TriggerRecord> {
  const row = await context.db
    .selectFrom('trigger_settings')
    .where('shop_id', '=', shopId)
    .where('integration', '=', receiver)
    .selectAll()
    .executeTakeFirst()
  if (row) return { ...row, extra: row.extra as TriggerExtra } // written in this file only
  if (!isLater(receiver)) throw new Error(`shop ${shopId} has no trigger settings of ${receiver}`)
  return { ...unsetTrigger(receiver), extra: {} }
}

/** Off, as every integration begins. */
function unsetTrigger(receiver: TriggerReceiver): Omit<TriggerRecord, 'extra'> {
  return {
    status: false,
    trigger_delivered_all_events: false,
    stale_event_threshold: defaultStaleThreshold(receiver),
    segments_enabled: false,
  }
}

/** Sets one switch of several integrations in one statement. */
export async function switchIntegrations(
  context: Context,
  shopId: string,
  column: 'status' | 'segments_enabled',
  switches: Partial<Record<Integration | typeof mailReceiver, boolean>>,
): Promise<void> {
  const names = Object.keys(switches)
  const values = Object.values(switches)
  if (names.length === 0) return
  for (const receiver of names.filter(isLater)) await createTrigger(context, shopId, receiver)
  await sql`
    update trigger_settings set ${sql.ref(column)} = wanted.is_on
    from unnest(${names}::text[], ${values}::boolean[]) as wanted (integration, is_on)
    where trigger_settings.shop_id = ${shopId} and trigger_settings.integration = wanted.integration`.execute(
    context.db,
  )
}

/** Updates the given fields; absent fields of `extra` stay, too. */
export async function updateTriggerSettings(
  context: Context,
  shopId: string,
  receiver: TriggerReceiver,
  { extra = {}, ...columns }: Partial<TriggerRecord>,
): Promise<void> {
  if (isLater(receiver)) await createTrigger(context, shopId, receiver)
  await context.db
    .updateTable('trigger_settings')
    .set({ ...columns, extra: sql`extra || ${JSON.stringify(extra)}::jsonb` })
    .where('shop_id', '=', shopId)
    .where('integration', '=', receiver)
    .execute()
}

/** A shop has settings of e-mail and of later integrations from the first time that they are set. */
async function createTrigger(context: Context, shopId: string, receiver: LaterReceiver): Promise<void> {
  await context.db
    .insertInto('trigger_settings')
    .values({ ...unsetTrigger(receiver), shop_id: shopId, integration: receiver })
    .onConflict((conflict) => conflict.columns(['shop_id', 'integration']).doNothing())
    .execute()
}

/** Removes user names and passwords that an earlier version has stored in addresses of integrations. */
export async function dropEndpointCredentials({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`
    update trigger_settings
    set extra = jsonb_set(extra, '{rest_endpoint}', to_jsonb(regexp_replace(extra ->> 'rest_endpoint', '^([a-z]+://)?[^/?#]*@', '\\1', 'i')))
    where integration = 'braze' and extra ->> 'rest_endpoint' ~ '^([a-zA-Z]+://)?[^/?#]*@'`.execute(db)
}
