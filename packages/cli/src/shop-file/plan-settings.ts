import { differences, type FieldChange, type Json, overlay } from './compare.ts'
import { entryOf, type Located, placeAt, plainOf } from './located.ts'
import type { Change, Step } from './plan.ts'
import type { RemoteShop } from './remote-shop.ts'
import type { Schema, ShopFileSchema } from './schema.ts'
import { plainCredentials, profile, type SettingGroup, settingGroups } from './sections.ts'
import { spellings } from './spellings.ts'

/** The steps that give the shop the profile and the settings of a file. */
export async function planSettings(remote: RemoteShop, schema: ShopFileSchema, parts: Located): Promise<Step[]> {
  const groups: [name: string, group: SettingGroup, schema: Schema, located: Located | undefined][] = [
    ['profile', profile, schema.at('profile'), entryOf(parts, 'profile')],
    ...Object.entries(settingGroups).map(([name, group]): [string, SettingGroup, Schema, Located | undefined] => [
      name,
      group,
      schema.at('settings', name),
      entryOf(entryOf(parts, 'settings'), name),
    ]),
  ]
  const steps: Step[] = []
  for (const [name, group, groupSchema, located] of groups) {
    if (!located) continue
    const current = await remote.readGroup(group)
    const spell = spellings[name] ?? ((value: Json) => value)
    const desired = spell(plainOf(located) as Json) // the schema allows maps only
    const fields = differences(groupSchema, desired, current)
    if (fields.length === 0) continue
    const kind = group === profile ? 'shop' : 'settings'
    const change: Change = { action: 'update', kind, name, fields, place: located.place }
    const body = changedParts(group.write, { schema: groupSchema, desired, current, fields })
    steps.push({
      change,
      request: () => ({ route: group.write, body: group.under ? { [group.under]: body } : body }),
      placeOf: (path) => placeAt(located, group.under ? path.slice(1) : path),
    })
  }
  return steps
}

/** A part of a file, the same part of the shop, and how they differ. */
interface Comparison {
  schema: Schema
  desired: Json
  current: Json
  fields: readonly FieldChange[]
}

/** Everything for an operation that replaces, and what changes for one that changes. */
export function changedParts(write: string, { schema, desired, current, fields }: Comparison): Json {
  const whole = overlay(schema, current, desired) as Json // two objects
  if (write.startsWith('PUT ')) return whole
  const changed = new Set(fields.map(({ field }) => field.split('.')[0]))
  return Object.fromEntries(Object.entries(whole).filter(([name]) => changed.has(name)))
}

/** The setting to which the credentials of a system are bound: another value needs them again. */
const boundTo: Readonly<Record<string, string>> = { braze: 'rest_endpoint', inxmail: 'instance_id' }

/** The steps for the settings of an integration and its credentials. */
export async function planIntegration(
  remote: RemoteShop,
  { name, schema, located }: { name: string; schema: Schema; located: Located },
  writesSecrets: boolean,
): Promise<Step[]> {
  const { credentials, internal_triggers: _triggers, ...desired } = plainOf(located) as Json // the schema allows maps only
  const current = Object.keys(desired).length === 0 ? {} : await readIntegration(remote, name)
  const fields = differences(schema, desired, current)
  const change: Change = { action: 'update', kind: 'integration', name, fields, place: located.place }
  const route = `PATCH /settings/triggers/${name}`
  const placeOf = (path: readonly (string | number)[]) => placeAt(located, path)
  const isWritten = writesSecrets || fields.some(({ field }) => field === boundTo[name])
  const secretFields = credentials ? await changedCredentials(remote, name, credentials as Json, isWritten) : []
  const body = changedParts(route, { schema, desired, current, fields })
  const { status, ...others } = body
  // Nothing is sent with credentials that are not there yet, and none are bound to the host of before.
  const isLater = secretFields.length > 0 && status === true
  const early = isLater ? others : body
  const steps: Step[] = []
  if (Object.keys(early).length > 0) steps.push({ change, request: () => ({ route, body: early }), placeOf })
  if (secretFields.length > 0) {
    steps.push({
      change: { action: 'update', kind: 'credentials', name, fields: secretFields, place: located.place },
      request: () => ({ route: `PUT /keys/${name}`, body: credentials as Json }), // the same
      placeOf: (path) => placeAt(located, ['credentials', ...path]),
    })
  }
  if (isLater) steps.push({ change, request: () => ({ route, body: { status } }), placeOf })
  return steps
}

/** The settings of an integration as they are changed: a switch, not a word. */
export async function readIntegration(remote: RemoteShop, name: string): Promise<Json> {
  const bundle = (await remote.read('/settings/bundle')) as { triggers: { data: Record<string, Json> } } // as the API says
  const found = bundle.triggers.data[name]
  // E-mail is not in the bundle before it was set.
  if (!found) return (await remote.read(`/settings/triggers/${name}`)) as Json // as the API says
  return { ...found, status: found.status !== 'disabled' }
}

/** The fields of credentials that differ, as far as their masks show it. */
async function changedCredentials(
  remote: RemoteShop,
  name: string,
  credentials: Json,
  isWritten: boolean,
): Promise<FieldChange[]> {
  const masked = maskedOf(await remote.read('/keys'), name)
  const changes = Object.entries(credentials).map(([field, to]) => ({
    field: `credentials.${field}`,
    from: masked[field] ?? null,
    to,
    isSame:
      plainCredentials.includes(field) && name === 'smtp' ? masked[field] === to : masked[field] === mask(String(to)),
  }))
  return changes.filter(({ isSame }) => isWritten || !isSame).map(({ isSame: _isSame, ...change }) => change)
}

export function maskedOf(keys: unknown, name: string): Json {
  const found = (keys as Json)[name] // by system, as the API says
  if (typeof found === 'string') return { api_key: found }
  return (found ?? {}) as Json // the same
}

/** As the service masks a secret: its last characters, four at most and never more than a quarter. */
function mask(secret: string): string {
  const characters = [...secret]
  const shown = Math.min(4, Math.floor(characters.length / 4))
  return `****${characters.slice(characters.length - shown).join('')}`
}
