import { type RawBuilder, sql } from 'kysely'
import { after } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { earliestId, isUuid } from '../../platform/foundation/ids.ts'
import type { CommitScope } from '../../platform/foundation/transaction.ts'
import { circuitPolicy as policy, probePausesMs } from './circuit.ts'
import type { Delivery, Receiver } from './delivery.ts'
import type { ReceiverResult } from './health-store.ts'
import { receiverKey } from './queue-store.ts'

/** Opens and closes circuits after the health of these receivers was recorded. Healthy ones cost no statement. */
export async function updateCircuits(scope: CommitScope, results: ReceiverResult[], now: Date): Promise<void> {
  const endpoints = results.filter(({ receiverId }) => isUuid(receiverId))
  await closeCircuits(
    scope,
    endpoints.filter(({ isProbed, lastSuccessAt }) => isProbed && lastSuccessAt !== null),
    now,
  )
  await openCircuits(
    scope,
    endpoints.filter(({ failures }) => failures > 0),
    now,
  )
}

/** Opens the circuits of those that have failed often and long enough, all nodes counted together. */
async function openCircuits(scope: CommitScope, receivers: Receiver[], now: Date): Promise<void> {
  if (receivers.length === 0) return
  await sql`
    update webhook_endpoints
    set circuit_opened_at = ${now}, probe_at = ${after(now, policy.firstProbeMs)}, probes = 0
    from ${givenReceivers(receivers)}
    join receiver_health as health on health.shop_id = given.shop_id and health.target = given.target
    where webhook_endpoints.shop_id = given.shop_id and webhook_endpoints.id = given.target::uuid
      and webhook_endpoints.circuit_opened_at is null
      and health.consecutive_failures >= ${sql.lit(policy.failures)}
      and health.failing_since <= ${after(now, -policy.failingForMs)}`.execute(scope.db)
}

/** Closes circuits. Retries that were planned for later precede what waited, so that shipments keep their order. */
async function closeCircuits(scope: CommitScope, receivers: Receiver[], now: Date): Promise<void> {
  if (receivers.length === 0) return
  await sql`
    with closed as (
      update webhook_endpoints set circuit_opened_at = null, probe_at = null, probes = 0
      from ${givenReceivers(receivers)}
      where webhook_endpoints.shop_id = given.shop_id and webhook_endpoints.id = given.target::uuid
        and webhook_endpoints.circuit_opened_at is not null
      returning given.shop_id, given.target
    )
    update deliveries set next_attempt_at = ${now}
    from closed
    cross join lateral (
      select retries.id from deliveries as retries
      where ${receiverKey('retries')} = ${receiverKey('closed')} and retries.finished_at is null
        and retries.next_attempt_at > ${now} and retries.attempts > retries.attempts_before
      order by retries.next_attempt_at
      limit ${sql.lit(policy.batch)}
    ) as planned
    where deliveries.shop_id = closed.shop_id and deliveries.id = planned.id
      and deliveries.finished_at is null`.execute(scope.db)
}

/** Those of these receivers whose circuit is open and whose next probe is due. */
export function dueCircuits(receivers: Receiver[], now: Date): RawBuilder<unknown> {
  return sql`
    select given.shop_id, given.target
    from ${givenReceivers(receivers)}
    join webhook_endpoints on webhook_endpoints.shop_id = given.shop_id and webhook_endpoints.id = given.target::uuid
    where webhook_endpoints.circuit_opened_at is not null and webhook_endpoints.probe_at <= ${now}`
}

/** Plans the probe after those in a table of deliveries: before they are sent, so that a worker which dies delays nothing. */
export function planNextProbe(table: string, now: Date): RawBuilder<unknown> {
  return sql`
    update webhook_endpoints set probes = least(probes + 1, 32000),
      probe_at = ${now}::timestamptz
        + (${probePausesMs}::int[])[least(probes + 1, ${sql.lit(probePausesMs.length)})] * interval '1 millisecond'
    from ${sql.table(table)} as probe
    where webhook_endpoints.shop_id = probe.shop_id and webhook_endpoints.id = probe.target::uuid`
}

/** Makes dead letters of deliveries that have waited too long; the probes themselves are judged by their attempts. */
export async function giveUpWaiting(scope: CommitScope, probes: Delivery[], now: Date): Promise<void> {
  const before = after(now, -policy.waitsAtMostMs)
  const open = probes.filter(({ endpoint }) => endpoint?.circuitOpenedAt && endpoint.circuitOpenedAt < before)
  if (open.length === 0) return
  await sql`
    update deliveries set status = 'dead', finished_at = ${now}
    from ${givenReceivers(open)}
    cross join lateral (
      select old.id from deliveries as old
      where ${receiverKey('old')} = ${receiverKey('given')} and old.finished_at is null
        and old.next_attempt_at <= ${before} and old.id < ${earliestId(before)}
      order by old.next_attempt_at
      limit ${sql.lit(policy.batch)}
    ) as waiting
    where deliveries.shop_id = given.shop_id and deliveries.id = waiting.id and deliveries.finished_at is null
      and deliveries.id <> all(${open.map(({ id }) => id)}::uuid[])`.execute(scope.db)
}

/** Makes the next probe of these endpoints due: somebody has changed something, or wants to know. */
export async function probeSoon(context: ShopContext, receiverIds: readonly string[]): Promise<void> {
  const ids = receiverIds.filter(isUuid)
  if (ids.length === 0) return
  await sql`
    update webhook_endpoints set probe_at = ${context.now}, probes = 0
    where shop_id = ${context.shop.id} and id = any(${ids}::uuid[]) and circuit_opened_at is not null`.execute(
    context.db,
  )
}

/** Due time of the next probe of an unfinished delivery's endpoint; null if its circuit is closed. */
export function probeTimeOf(row: string): RawBuilder<Date | null> {
  const receiverId = sql.ref(`${row}.target`)
  return sql`(
    select probe_at from webhook_endpoints
    where ${sql.ref(`${row}.finished_at`)} is null and webhook_endpoints.shop_id = ${sql.ref(`${row}.shop_id`)}
      and webhook_endpoints.id = case when ${receiverId} ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then ${receiverId}::uuid end
  )`
}

function givenReceivers(receivers: Receiver[]): RawBuilder<unknown> {
  const given = receivers.map(({ shopId, receiverId }) => ({ shop_id: shopId, target: receiverId }))
  return sql`json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, target text)`
}
