import { type Selectable, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Page, PageRequest } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { fetchPage } from '../../platform/store/shop-records.ts'
import { recordOf, type TriggerReceiver, triggerReceivers } from './integrations.ts'
import type { InternalTrigger } from './trigger-schema.ts'

type TriggerRow = Selectable<Tables['internal_triggers']>

/** One page of an integration's triggers, oldest first. */
export async function listInternalTriggers(
  context: Context,
  shopId: string,
  receiver: TriggerReceiver,
  request: PageRequest,
): Promise<Page<InternalTrigger>> {
  const page = await fetchPage<TriggerRow>(
    context,
    {
      name: `internal triggers ${shopId} ${receiver}`,
      rows: sql`from internal_triggers where shop_id = ${shopId} and integration = ${receiver}`,
      orderBy: sql`created_at, id`,
    },
    request,
  )
  return { ...page, items: page.items.map(toTrigger) }
}

/** Every trigger of the shop by integration, oldest first: part of the settings. */
export async function listAllInternalTriggers(
  context: Context,
  shopId: string,
): Promise<Record<TriggerReceiver, InternalTrigger[]>> {
  const rows = await context.db
    .selectFrom('internal_triggers')
    .where('shop_id', '=', shopId)
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return recordOf(triggerReceivers, (receiver) => rows.filter((row) => row.integration === receiver).map(toTrigger))
}

export async function findInternalTrigger(
  context: ShopContext,
  receiver: TriggerReceiver,
  id: string,
): Promise<InternalTrigger | undefined> {
  const row = await context.db
    .selectFrom('internal_triggers')
    .where('shop_id', '=', context.shop.id)
    .where('integration', '=', receiver)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst()
  return row && toTrigger(row)
}

export async function insertInternalTrigger(
  context: ShopContext,
  receiver: TriggerReceiver,
  trigger: InternalTrigger,
  { appliesToExisting }: { appliesToExisting: boolean },
): Promise<void> {
  await context.db
    .insertInto('internal_triggers')
    .values({
      ...trigger,
      shop_id: context.shop.id,
      integration: receiver,
      created_at: context.now,
      existing_before: appliesToExisting ? context.now : null,
      existing_before_id: appliesToExisting ? lastUuid : null,
    })
    .execute()
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The trigger as it is now; undefined if there is none. */
export async function updateInternalTrigger(
  context: ShopContext,
  receiver: TriggerReceiver,
  id: string,
  changes: Partial<InternalTrigger>,
): Promise<InternalTrigger | undefined> {
  if (Object.keys(changes).length === 0) return findInternalTrigger(context, receiver, id)
  const row = await context.db
    .updateTable('internal_triggers')
    .set(changes)
    .where('shop_id', '=', context.shop.id)
    .where('integration', '=', receiver)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toTrigger(row)
}

/** False if there is none. */
export async function deleteInternalTrigger(
  context: ShopContext,
  receiver: TriggerReceiver,
  id: string,
): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('internal_triggers')
    .where('shop_id', '=', context.shop.id)
    .where('integration', '=', receiver)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

function toTrigger(row: TriggerRow): InternalTrigger {
  return {
    id: row.id,
    name: row.name,
    // The schema allows only known phases, operators, types and directions.
    phase_in: row.phase_in as InternalTrigger['phase_in'],
    phase_not_in: row.phase_not_in as InternalTrigger['phase_not_in'],
    event_key_in: row.event_key_in,
    event_key_not_in: row.event_key_not_in,
    operator: row.operator as InternalTrigger['operator'],
    time_threshold_type: row.time_threshold_type as InternalTrigger['time_threshold_type'],
    time_threshold_value: row.time_threshold_value,
    shipment_direction: row.shipment_direction as InternalTrigger['shipment_direction'],
  }
}
