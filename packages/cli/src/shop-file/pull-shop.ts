import { Document, isMap, type YAMLMap } from 'yaml'
import { type Json, pick } from './compare.ts'
import { readItems } from './plan-lists.ts'
import { maskedOf, readIntegration } from './plan-settings.ts'
import type { RemoteShop } from './remote-shop.ts'
import { alternativeFor, type Schema, type ShopFileSchema } from './schema.ts'
import {
  internalTriggersOf,
  type ListSection,
  listSections,
  plainCredentials,
  profile,
  settingGroups,
} from './sections.ts'

/** A shop as a file. Secrets are left out: comments say where they would be. */
export async function pullShop(remote: RemoteShop, schema: ShopFileSchema): Promise<string> {
  const content: Json = {
    shop: remote.slug,
    profile: trimmed(schema.at('profile'), pick(schema.at('profile'), await remote.readGroup(profile))),
    settings: await readSettings(remote, schema),
    integrations: await readIntegrations(remote, schema),
  }
  for (const [name, section] of Object.entries(listSections)) {
    const items = await pullItems(remote, section, schema.itemAt(name))
    if (items.length > 0) content[name] = items
  }
  const document = new Document(escaped(content))
  addCredentials(document, await remote.read('/keys'), schema)
  return document.toString({ lineWidth: 120 })
}

async function readSettings(remote: RemoteShop, schema: ShopFileSchema): Promise<Json> {
  const groups: [string, unknown][] = []
  for (const [name, group] of Object.entries(settingGroups)) {
    const known = schema.at('settings', name)
    groups.push([name, trimmed(known, pick(known, await remote.readGroup(group)))])
  }
  return Object.fromEntries(groups.filter(([, value]) => Object.keys(value as Json).length > 0)) // groups are maps
}

/** The settings of every integration that has some; the others have credentials only. */
async function readIntegrations(remote: RemoteShop, schema: ShopFileSchema): Promise<Json> {
  const found: Json = {}
  for (const name of schema.namesAt('integrations')) {
    const known = schema.at('integrations', name)
    const { credentials: _credentials, internal_triggers: triggers, ...properties } = known.properties ?? {}
    if (Object.keys(properties).length === 0) continue
    const items = triggers
      ? await pullItems(remote, internalTriggersOf(name), schema.itemAt('integrations', name, 'internal_triggers'))
      : []
    found[name] = {
      ...(trimmed(known, pick({ ...known, properties }, await readIntegration(remote, name))) as Json), // an object stays one
      ...(items.length > 0 ? { internal_triggers: items } : {}),
    }
  }
  return found
}

/** Of several that have one key, a file can name none. */
async function pullItems(remote: RemoteShop, section: ListSection, schema: Schema): Promise<Json[]> {
  const items = await readItems(remote, section, schema)
  const count = (identity: string) => items.filter((each) => each.identity === identity).length
  // Deals have an order of their own; anything else is sorted, so that two pulls differ only by what has changed.
  if (section.noun !== 'deal') items.sort((one, other) => (one.identity < other.identity ? -1 : 1))
  return items.filter(({ identity }) => count(identity) === 1).map(({ item }) => trimmed(schema, item, true) as Json) // an object stays one
}

/** A comment with the credentials that are set, to be filled in from the environment. */
function addCredentials(document: Document, keys: unknown, schema: ShopFileSchema): void {
  const integrations = document.get('integrations') as YAMLMap // made above
  for (const name of schema.namesAt('integrations')) {
    const fields = Object.entries(maskedOf(keys, name)).filter(([, value]) => value !== null)
    if (fields.length === 0) continue
    const lines = fields.map(([field, value]) => {
      const isPlain = plainCredentials.includes(field) && name === 'smtp'
      return `   ${field}: ${isPlain ? JSON.stringify(value) : `\${${`${name}_${field}`.toUpperCase()}}`}`
    })
    const own = integrations.get(name)
    const comment = [' credentials:', ...lines].join('\n')
    if (isMap(own)) own.comment = comment
    else
      integrations.comment = [integrations.comment, ` ${name}:`, comment.replaceAll(/^/gm, '  ')]
        .filter(Boolean)
        .join('\n')
  }
}

/** Escapes text that looks like a reference to the environment. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$' + '{', '$$' + '{')
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escaped(each)]))
}

/** Leaves out null if the field may be absent, and empty lists of a thing: a new one has them, too. */
function trimmed(schema: Schema, value: unknown, isThing = false): unknown {
  if (Array.isArray(value)) return value.map((each) => trimmed(schema.items ?? {}, each, isThing))
  if (typeof value !== 'object' || value === null) return value
  const type = 'type' in value ? value.type : undefined
  const { properties = {}, required = [] } = alternativeFor(schema, value, type)
  const fields = Object.entries(value).filter(([name, each]) => {
    const isEmpty = each === null || each === undefined || (isThing && Array.isArray(each) && each.length === 0)
    return !isEmpty || required.includes(name)
  })
  return Object.fromEntries(fields.map(([name, each]) => [name, trimmed(properties[name] ?? {}, each, isThing)]))
}
