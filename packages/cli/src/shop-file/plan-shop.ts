import type { Json } from './compare.ts'
import type { DesiredShop } from './load.ts'
import { entryOf, itemsOf, type Located, placeAt } from './located.ts'
import { type Ids, idKey, type ShopPlan, type Step } from './plan.ts'
import { deleteStep, discountKey, type KnownItem, type ListPlan, nameOf, planList, readItems } from './plan-lists.ts'
import { planIntegration, planSettings } from './plan-settings.ts'
import { type Problem, ShopFileError } from './problems.ts'
import type { RemoteShop } from './remote-shop.ts'
import type { ShopFileSchema } from './schema.ts'
import { internalTriggersOf, listSections } from './sections.ts'

export interface PlanOptions {
  /** Whether things that are not in the file are deleted, in the sections that it has. */
  deletes: boolean
  /** Whether secrets are written that cannot be compared. */
  writesSecrets: boolean
  now: Date
}

/** Compares a shop with its file, and puts the steps in an order that works. */
export async function planShop(
  remote: RemoteShop,
  desired: DesiredShop,
  schema: ShopFileSchema,
  options: PlanOptions,
): Promise<ShopPlan> {
  const ids: Ids = new Map()
  const planning: Planning = { remote, schema, parts: desired.parts, ids, options }
  const lists = new Map<string, ListPlan>()
  for (const [name, section] of Object.entries(listSections)) {
    const located = entryOf(desired.parts, name)
    if (!located) continue
    const { writesSecrets } = options
    const list = { name, section, schema: schema.itemAt(name), located }
    lists.set(name, await planList(remote, list, { ids, writesSecrets }))
  }
  await checkDiscounts(planning, lists)
  const integrations = await planIntegrations(planning)
  const all = [...lists.values(), ...integrations.lists]
  const deletionsOf = (list: ListPlan | undefined): Step[] =>
    list && options.deletes ? list.extra.map((known) => deleteStep(list.section, known)) : []
  const removed = (name: string) => deletionsOf(lists.get(name))
  const stepsOf = (name: string) => [...(lists.get(name)?.steps.values() ?? [])]
  const steps: Step[] = [
    ...(await planSettings(remote, schema, desired.parts)),
    ...integrations.steps,
    ...integrations.lists.flatMap((list) => [...list.steps.values(), ...deletionsOf(list)]),
    ...stepsOf('discounts'),
    ...campaignSteps(lists.get('campaigns'), options),
    ...removed('deals'),
    ...stepsOf('deals'),
    ...rankSteps(lists.get('deals'), options),
    // Last: nothing uses them any more.
    ...removed('discounts'),
    ...['announcements', 'webhooks', 'automations'].flatMap((name) => [...removed(name), ...stepsOf(name)]),
  ]
  const extra = all.flatMap(({ section, extra }) =>
    extra.map(({ item }) => ({ kind: section.noun, name: nameOf(section, item) })),
  )
  return {
    shop: desired.slug,
    steps,
    changes: [...new Set(steps.map(({ change }) => change))],
    kept: options.deletes ? [] : extra,
    ids,
  }
}

/** A shop that is compared with its file. */
interface Planning {
  remote: RemoteShop
  schema: ShopFileSchema
  parts: Located
  ids: Ids
  options: PlanOptions
}

async function planIntegrations({ remote, schema, parts, ids, options: { writesSecrets } }: Planning) {
  const steps: Step[] = []
  const lists: ListPlan[] = []
  const section = entryOf(parts, 'integrations')
  for (const [name, { value }] of section?.kind === 'map' ? section.entries : []) {
    const integration = { name, schema: schema.at('integrations', name), located: value }
    steps.push(...(await planIntegration(remote, integration, writesSecrets)))
    const triggers = entryOf(value, 'internal_triggers')
    if (!triggers) continue
    const list = {
      name: `triggers of ${name}`,
      section: internalTriggersOf(name),
      schema: schema.itemAt('integrations', name, 'internal_triggers'),
      located: triggers,
    }
    lists.push(await planList(remote, list, { ids, writesSecrets }))
  }
  return { steps, lists }
}

/** Every discount that something refers to must exist by then. */
async function checkDiscounts(
  { remote, schema, parts, ids, options: { deletes } }: Planning,
  lists: ReadonlyMap<string, ListPlan>,
): Promise<void> {
  const references = ['campaigns', 'deals'].flatMap((name) =>
    itemsOf(entryOf(parts, name)).flatMap((item) => {
      const code = entryOf(item, 'discount')
      return code?.kind === 'scalar' && code.value !== null ? [code] : []
    }),
  )
  if (references.length === 0) return
  const ours = lists.get('discounts')
  if (!ours && listSections.discounts) {
    for (const { identity, id } of await readItems(remote, listSections.discounts, schema.itemAt('discounts'))) {
      ids.set(idKey('discounts', identity), id)
    }
  }
  const created = new Set([...(ours?.steps.values() ?? [])].map(({ creates }) => creates))
  const leaving = new Set(deletes ? ours?.extra.map(({ identity }) => idKey('discounts', identity)) : [])
  const problems = references.flatMap(({ value, place }): Problem[] => {
    const key = discountKey(String(value))
    if (leaving.has(key))
      return [{ place, message: `the discount ${value} is not in the file, and --delete would delete it` }]
    return ids.has(key) || created.has(key) ? [] : [{ place, message: `there is no discount with the code ${value}` }]
  })
  if (problems.length > 0) throw new ShopFileError(problems)
}

function campaignSteps(list: ListPlan | undefined, { deletes, now }: PlanOptions): Step[] {
  if (!list) return []
  const current = new Map(list.known.map(({ identity, item }) => [identity, slotOf(item, now)]))
  const known = new Map(list.known.map((each) => [each.identity, each]))
  const wanted = new Map<string, Slot | undefined>()
  for (const [identity, { item }] of list.desired) {
    if (list.steps.has(identity)) wanted.set(identity, slotOf({ ...known.get(identity)?.item, ...item }, now))
  }
  if (deletes) for (const { identity } of list.extra) wanted.set(identity, undefined)
  const turns = orderCampaigns(current, wanted)
  if (!Array.isArray(turns)) throw conflictOf(list, turns)
  return turns.flatMap(({ name, does }) => {
    const item = known.get(name)
    const step = list.steps.get(name) ?? (item && deleteStep(list.section, item))
    if (!step || does === 'change') return step ? [step] : []
    return item ? [disableStep(step, item)] : []
  })
}

function disableStep({ change, placeOf }: Step, { id }: KnownItem): Step {
  const note = 'disabled until another campaign has left its place'
  return { change, note, placeOf, request: () => ({ route: `PATCH /campaigns/${id}`, body: { enabled: false } }) }
}

function slotOf(item: Json, now: Date): Slot {
  const time = (value: unknown, otherwise: number) => (typeof value === 'string' ? Date.parse(value) : otherwise)
  return {
    isEnabled: item.enabled === true,
    segment: String(item.segment),
    type: String(item.promotion_type),
    start: time(item.start_date, now.getTime()),
    end: time(item.end_date, Number.POSITIVE_INFINITY),
  }
}

function conflictOf(list: ListPlan, { name, rival }: Conflict): ShopFileError {
  const [one, other] = [list.desired.get(name), list.desired.get(rival)]
  const rivalItem = other?.item ?? list.known.find(({ identity }) => identity === rival)?.item ?? {}
  const located = one?.located ?? other?.located
  if (!located) throw new Error('a conflict between campaigns that no file has')
  const where = other ? 'the file' : 'the shop'
  const message = `is enabled for the same segment, promotion type and period as ${nameOf(list.section, rivalItem)} in ${where}: disable one of them, or change its period`
  return new ShopFileError([{ place: placeAt(located, ['enabled']), message }])
}

/** Deals are shown in the order of the file; those that it does not have come after them. */
function rankSteps(list: ListPlan | undefined, { deletes }: PlanOptions): Step[] {
  if (!list) return []
  const extra = new Set(list.extra.map(({ identity }) => identity))
  const before = list.known.map(({ identity }) => identity)
  const created = [...list.desired.keys()].filter((identity) => !before.includes(identity))
  const order = [...before.filter((identity) => !deletes || !extra.has(identity)), ...created]
  const wanted = [...list.desired.keys(), ...(deletes ? [] : before.filter((identity) => extra.has(identity)))]
  const names = new Map(list.known.map(({ identity, item }) => [identity, nameOf(list.section, item)]))
  for (const [identity, { item }] of list.desired) names.set(identity, nameOf(list.section, item))
  const shown = (identities: readonly string[]) => identities.map((identity) => names.get(identity) ?? '').join(', ')
  const change = {
    action: 'update' as const,
    kind: 'order of',
    name: 'deals',
    fields: [{ field: 'order', from: shown(order), to: shown(wanted) }],
  }
  const steps: Step[] = []
  for (const [index, identity] of wanted.entries()) {
    if (order[index] === identity) continue
    order.splice(order.indexOf(identity), 1)
    order.splice(index, 0, identity)
    const rank = index + 1
    steps.push({
      change,
      note: `${names.get(identity)} moves to rank ${rank}`,
      request: (ids) => ({ route: `PUT /deals/${ids.get(idKey('deals', identity))}/rank`, body: { rank } }),
    })
  }
  return steps
}

/** The time and audience of a campaign. */
interface Slot {
  isEnabled: boolean
  segment: string
  type: string
  /** Milliseconds; the end is exclusive. */
  start: number
  end: number
}

/** One step for a campaign: its change, or switching it off until its change is due. */
interface Turn {
  name: string
  does: 'change' | 'disable'
}

/** Two campaigns that would be shown in one place. */
interface Conflict {
  name: string
  rival: string
}

/**
 * An order in which campaigns can be changed one by one, although only one may be enabled for a segment, type and period:
 * a campaign moves once its place is free. If several wait for each other, one of them is disabled first.
 * A campaign that is to be deleted has no slot.
 */
function orderCampaigns(
  current: ReadonlyMap<string, Slot>,
  wanted: ReadonlyMap<string, Slot | undefined>,
): Turn[] | Conflict {
  const slots = new Map(current)
  const waiting = new Map(wanted)
  const turns: Turn[] = []
  const rivalOf = (name: string, slot: Slot | undefined) =>
    slot && [...slots].find(([other, held]) => other !== name && collide(slot, held))?.[0]
  while (waiting.size > 0) {
    const free = [...waiting].find(([name, slot]) => rivalOf(name, slot) === undefined)
    if (free) {
      const [name, slot] = free
      if (slot) slots.set(name, slot)
      else slots.delete(name)
      waiting.delete(name)
      turns.push({ name, does: 'change' })
      continue
    }
    const [name = '', slot] = [...waiting][0] ?? []
    const rival = rivalOf(name, slot) ?? ''
    const held = slots.get(rival)
    if (!waiting.has(rival) || !held) return { name, rival }
    slots.set(rival, { ...held, isEnabled: false })
    turns.push({ name: rival, does: 'disable' })
  }
  return turns
}

function collide(one: Slot, other: Slot): boolean {
  return (
    one.isEnabled &&
    other.isEnabled &&
    one.segment === other.segment &&
    one.type === other.type &&
    one.start < other.end &&
    other.start < one.end
  )
}
