import { differences, type Json, overlay, pick } from './compare.ts'
import { entryOf, itemsOf, type Located, placeAt, plainOf } from './located.ts'
import { type Change, type Ids, idKey, type Step } from './plan.ts'
import { changedParts } from './plan-settings.ts'
import { type Problem, ShopFileError } from './problems.ts'
import type { RemoteShop } from './remote-shop.ts'
import type { Schema } from './schema.ts'
import type { ListSection } from './sections.ts'
import { withoutOwnLanguage } from './spellings.ts'

/** A thing of the shop, as a file would say it. */
export interface KnownItem {
  identity: string
  id: string
  item: Json
}

/** A section of a file. */
interface FileSection {
  name: string
  section: ListSection
  schema: Schema
  located: Located
}

/** A thing of a file. */
interface DesiredItem {
  identity: string
  located: Located
  item: Json
}

/** The changes to the things of one section, in no order yet. */
export interface ListPlan {
  section: ListSection
  schema: Schema
  known: KnownItem[]
  /** By identity, in the order of the file. */
  desired: Map<string, DesiredItem>
  steps: Map<string, Step>
  /** In the shop, but not in the file. */
  extra: KnownItem[]
}

/** Compares a section with what the shop has. */
export async function planList(
  remote: RemoteShop,
  list: FileSection,
  { ids, writesSecrets }: { ids: Ids; writesSecrets: boolean },
): Promise<ListPlan> {
  const { name, section, schema, located } = list
  const known = await readItems(remote, section, schema)
  for (const { identity, id } of known) ids.set(idKey(name, identity), id)
  const language = section.discount ? await languageOf(remote) : undefined
  const problems: Problem[] = []
  const desired: ListPlan['desired'] = new Map()
  const steps: ListPlan['steps'] = new Map()
  for (const each of itemsOf(located)) {
    const item = plainOf(each) as Json // the schema allows maps only
    const identity = identityOf(section, item)
    const wanted = { identity, located: each, item }
    desired.set(identity, wanted)
    const found = known.filter((one) => one.identity === identity)
    problems.push(...problemsOf(list, wanted, found, language))
    const step = found[0] ? updateStep(list, wanted, found[0], writesSecrets) : createStep(list, wanted)
    if (step) steps.set(identity, step)
  }
  if (problems.length > 0) throw new ShopFileError(problems)
  return { section, schema, known, desired, steps, extra: known.filter(({ identity }) => !desired.has(identity)) }
}

/** The things of a shop that a file can name. */
export async function readItems(remote: RemoteShop, section: ListSection, schema: Schema): Promise<KnownItem[]> {
  const language = section.discount ? await languageOf(remote) : undefined
  const replies = await remote.list(section)
  return replies.flatMap((reply) => {
    const discount = section.discount ? { discount: (reply.discount as Json | null)?.code ?? undefined } : {}
    const item = pick(schema, withoutOwnLanguage({ ...reply, ...discount }, language)) as Json // an object stays one
    // A file cannot name a thing without an identity: a discount without a code, or a deal of one.
    const isNamed = (schema.required ?? []).every((field) => (item[field] ?? '') !== '')
    return isNamed ? [{ identity: identityOf(section, item), id: String(reply[section.id]), item }] : []
  })
}

function identityOf({ key }: ListSection, item: Json): string {
  return JSON.stringify(key.map((field) => (isCode(field) ? lowerCase(item[field]) : (item[field] ?? ''))))
}

/** Codes of discounts that differ in case only are the same. */
function isCode(field: string): boolean {
  return field === 'code' || field === 'discount'
}

function lowerCase(code: unknown): string {
  return String(code ?? '').toLowerCase()
}

/** How a person calls it. */
export function nameOf({ key }: ListSection, item: Json): string {
  return key
    .map((field) => (field === 'url' ? withoutPath(String(item[field])) : item[field]))
    .filter((value) => (value ?? '') !== '')
    .map((value) => JSON.stringify(shortened(String(value))))
    .join(' ')
}

/** The path of an address may be a token of its receiver, and plans are read in logs. */
function withoutPath(url: string): string {
  if (!URL.canParse(url)) return url
  const { origin, href } = new URL(url)
  return href === `${origin}/` ? origin : `${origin}/***`
}

export function deleteStep(section: ListSection, { id, item }: KnownItem): Step {
  const change: Change = { action: 'delete', kind: section.noun, name: nameOf(section, item), fields: [] }
  return { change, request: () => ({ route: section.remove.replace('{id}', id) }) }
}

function createStep({ name, section }: FileSection, { identity, located, item }: DesiredItem): Step {
  const fields = Object.entries(item)
    .filter(([field]) => !section.key.includes(field))
    .map(([field, to]) => ({ field, from: undefined, to }))
  return {
    change: { action: 'create', kind: section.noun, name: nameOf(section, item), fields, place: located.place },
    request: (ids) => ({ route: section.create, body: bodyOf(section, item, ids) }),
    creates: idKey(name, identity),
    placeOf: (path) => placeAt(located, path),
  }
}

function updateStep(
  { section, schema }: FileSection,
  { located, item }: DesiredItem,
  known: KnownItem,
  writesSecrets: boolean,
): Step | undefined {
  const ignored = new Set([...section.key, ...(section.writeOnce ?? [])])
  const desired = Object.fromEntries(Object.entries(item).filter(([field]) => !ignored.has(field)))
  if (lowerCase(desired.discount) === lowerCase(known.item.discount)) delete desired.discount
  const fields = differences(schema, writesSecrets ? desired : withoutHiddenValues(section, desired), known.item)
  const { update } = section
  if (fields.length === 0 || update === undefined) return undefined
  const whole = update.startsWith('PUT ') ? { ...desired, ...pickKey(section, known.item) } : desired
  const body = changedParts(update, { schema, desired: whole, current: known.item, fields })
  return {
    change: { action: 'update', kind: section.noun, name: nameOf(section, item), fields, place: located.place },
    request: (ids) => ({ route: update.replace('{id}', known.id), body: bodyOf(section, body, ids) }),
    placeOf: (path) => placeAt(located, path),
  }
}

function withoutHiddenValues({ hiddenValues = [] }: ListSection, item: Json): Json {
  const lists = hiddenValues.flatMap((name) => {
    const values = item[name]
    return Array.isArray(values) ? [[name, values.map(({ value: _value, ...others }) => others)]] : []
  })
  return { ...item, ...Object.fromEntries(lists) }
}

function pickKey({ key }: ListSection, item: Json): Json {
  return Object.fromEntries(key.map((field) => [field, item[field]]))
}

/** With the id of the discount whose code the file names. */
function bodyOf(section: ListSection, item: Json, ids: Ids): Json {
  if (!section.discount || item.discount === undefined) return item
  const { discount, ...others } = item
  return { ...others, discount_id: discount === null ? null : ids.get(discountKey(String(discount))) }
}

export function discountKey(code: string): string {
  return idKey('discounts', JSON.stringify([lowerCase(code)]))
}

function problemsOf(
  { section, schema }: FileSection,
  { located, item }: DesiredItem,
  found: readonly KnownItem[],
  language: unknown,
): Problem[] {
  const report = (message: string, path: string[] = []) => ({ place: placeAt(located, path), message })
  const problems: Problem[] = []
  const name = `the ${section.noun} ${nameOf(section, item)}`
  if (found.length > 1)
    problems.push(report(`${name} exists ${found.length} times in the shop: rename all but one there`))
  const missing = (schema['x-needed-when-new'] ?? []).filter((field) => item[field] === undefined)
  if (found.length === 0 && missing.length > 0) {
    problems.push(report(`${name} does not exist yet, and a new one needs ${missing.join(', ')}`))
  }
  for (const field of section.fixed ?? []) {
    const before = found[0]?.item[field]
    if (before === undefined || item[field] === undefined || item[field] === before) continue
    const message = `the ${field} of ${name} is ${JSON.stringify(before)} and cannot be changed: use another ${section.key[0]}`
    problems.push(report(message, [field]))
  }
  const merged = overlay(schema, found[0]?.item, item) as Json // two objects
  if (section.noun === 'campaign') {
    const foreign = merged.promotion_type === 'product' ? 'image_url' : 'products'
    const given = entryOf(entryOf(located, 'promotion_properties'), foreign)
    if (given) problems.push({ place: given.place, message: `a ${merged.promotion_type} campaign has no ${foreign}` })
  }
  if (language !== undefined && JSON.stringify(withoutOwnLanguage(item, language)) !== JSON.stringify(item)) {
    problems.push(
      report(`has a translation into ${language}, the shop's own language: write that as the text itself`, [
        'translations',
      ]),
    )
  }
  return problems
}

async function languageOf(remote: RemoteShop): Promise<unknown> {
  return ((await remote.read('')) as Json).language // as the API says
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
