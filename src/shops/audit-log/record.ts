import type { AuditedReply, AuditRule } from '../../platform/foundation/audit.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { type Operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { type Changes, changesBetween } from './changes.ts'
import { maskSecrets } from './mask.ts'
import { insertEntry, lockSubject } from './store.ts'

type Handle = Operation['handle']
type AnyInput = Parameters<Handle>[1]
type Rule = AuditRule<Context, AnyInput>

/**
 * The operation's handler, which also records what it changed, in the transaction of the change. An operation that calls
 * other servers has none: it is recorded when it has succeeded.
 */
export function audited(operation: Operation): Handle {
  const { audit } = operation
  if (audit === undefined || 'none' in audit) return operation.handle
  const work = operation.callsOut || audit.isRecordedAfter ? handleAndRecord : handleInTransaction
  const record: Handle = (context, input) => work(context, input, operation, audit)
  return audit.only === 'by hand'
    ? (context, input) => (isByHand(context) ? record(context, input) : operation.handle(context, input))
    : record
}

/** A change to be recorded. */
export interface RecordedChange {
  /** Null: the change concerns the installation. */
  shopId: string | null
  /** The operation, or the one that would have made the same change. */
  action: string
  area: string
  kind: string
  id: string | undefined
  name?: string | undefined
  changes: Changes
}

/** Writes an entry about a change that the context's actor makes. Belongs into the transaction of the change. */
export async function recordChange(context: Context, change: RecordedChange): Promise<void> {
  const actor = actorOf(context)
  await insertEntry(context, {
    id: newId(context.now),
    shop_id: change.shopId,
    recorded_at: context.now,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action: change.action,
    area: change.area,
    subject_kind: change.kind,
    subject_id: cut(change.id),
    subject_name: cut(change.name),
    changes: change.changes,
  })
}

const maxTextLength = 255

/** By code point: half a surrogate pair cannot be stored. */
function cut(text: string | undefined): string | null {
  return text === undefined ? null : [...text].slice(0, maxTextLength).join('')
}

function handleInTransaction(context: Context, input: AnyInput, operation: Operation, rule: Rule): Promise<unknown> {
  return inTransaction(context, async (context) => {
    const id = idOf(context, input, { operation, rule })
    if (rule.read && id !== undefined) await lockSubject(context, `${shopIdOf(context, rule)} ${rule.kind} ${id}`)
    return handleAndRecord(context, input, operation, rule)
  })
}

async function handleAndRecord(context: Context, input: AnyInput, operation: Operation, rule: Rule): Promise<unknown> {
  // Texts in the language of the shop, whatever the caller prefers: else a translation would look like a change.
  const reader = { ...context, acceptLanguage: undefined }
  const read = async (id: string | undefined) => (id === undefined ? undefined : rule.read?.(reader, id, input))
  const readOfShops = async (id: string | undefined) => (id === undefined ? undefined : rule.readOfShops?.(reader, id))
  const given = idOf(context, input, { operation, rule })
  const [before, ofShopsBefore] = [await read(given), await readOfShops(given)]
  const result = await operation.handle(context, input)
  const reply = replyOf(result)
  const id = idOf(context, input, { operation, rule }, reply)
  const after = await read(id)
  const changes = {
    ...changesBetween(before, after, rule.personal),
    ...changesBetween(undefined, rule.outcome?.(context, input, reply)),
  }
  const isRecorded = (changes: Changes) => !rule.read || rule.isAct || Object.keys(changes).length > 0
  const entry = {
    action: operation.name,
    area: operation.area,
    kind: rule.kind,
    id,
    name: nameIn(after ?? before, rule),
  }
  if (isRecorded(changes)) await recordChange(context, { ...entry, shopId: shopIdOf(context, rule), changes })
  for (const [shopId, changes] of changesOfShops(ofShopsBefore, await readOfShops(id))) {
    if (isRecorded(changes)) await recordChange(context, { ...entry, shopId, changes })
  }
  return result
}

function changesOfShops(
  before: ReadonlyMap<string, object> = new Map(),
  after: ReadonlyMap<string, object> = new Map(),
): [shopId: string, changes: Changes][] {
  const shopIds = new Set([...before.keys(), ...after.keys()])
  return [...shopIds].map((shopId) => [shopId, changesBetween(before.get(shopId), after.get(shopId))])
}

function shopIdOf(context: Context & Partial<ShopContext>, { scope }: Rule): string | null {
  return scope === 'installation' ? null : (context.shop?.id ?? null)
}

function replyOf(result: unknown): AuditedReply {
  return result instanceof ReplyWithHeaders
    ? { body: result.body, location: result.headers.location }
    : { body: result, location: undefined }
}

function idOf(
  context: Context,
  input: AnyInput,
  { operation, rule }: { operation: Operation; rule: Rule },
  reply?: AuditedReply,
): string | undefined {
  if (rule.id) return rule.id(context, input, reply)
  const parameter = operation.path
    .match(/\{\w+\}/g)
    ?.at(-1)
    ?.slice(1, -1)
  if (parameter !== undefined && parameter !== 'slug') return (input.path as Record<string, string>)[parameter]
  if (reply?.location !== undefined)
    return decodeURIComponent(reply.location.slice(reply.location.lastIndexOf('/') + 1))
  const { uuid, id } = (reply?.body ?? {}) as { uuid?: string; id?: string }
  return uuid ?? id
}

function nameIn(record: object | undefined, { named = 'name', personal = [] }: Rule): string | undefined {
  const name = (record as Record<string, unknown> | undefined)?.[named]
  if (typeof name !== 'string' || name === '' || personal.includes(named)) return undefined
  return String(maskSecrets(named, name))
}

/** The author of a change. */
interface Actor {
  kind: 'key' | 'person' | 'automation' | 'system'
  /** The id of the key, person or automation; null for the service itself. */
  id: string | null
  /** The name that people know it by; null for an automation, whose name is looked up in the store. */
  name: string | null
}

/** The actor in this context: the last automation that led here, or the caller. */
function actorOf({ principal, causedBy }: Context): Actor {
  const automation = causedBy?.at(-1)
  if (automation !== undefined) return { kind: 'automation', id: automation, name: null }
  // Shop systems prove themselves by a signature and have no key.
  if (principal.kind === 'nobody' || principal.kind === 'system') return { kind: 'system', id: null, name: null }
  return { kind: principal.kind, id: principal.keyId, name: principal.name }
}

/** Whether somebody who has signed in makes the change by hand, and not a system with its API key. */
function isByHand({ principal }: Context): boolean {
  return principal.sessionId !== undefined
}
