// @ts-check
// Writes docs/shop-file.schema.json: the schema of a shop file, generated from the schemas of the API's operations.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./src/shop-file/schema.ts').Schema} Schema */

export const schemaFile = fileURLToPath(new URL('../../docs/shop-file.schema.json', import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // A Node that cannot run TypeScript gets help.
  const loader = 'tsx'
  if (!('typescript' in process.features)) await import(loader)
  writeFileSync(schemaFile, await generateShopFileSchema())
}

/** The text of the file. */
export async function generateShopFileSchema() {
  const [{ operations }, sections, { triggerUpdates }, { keyedSystems }, { referencePattern }] = await Promise.all([
    import('../../src/operations.ts'),
    import('./src/shop-file/sections.ts'),
    import('../../src/shops/settings/trigger-schema.ts'),
    import('../../src/adapters/systems.ts'),
    import('./src/shop-file/secrets.ts'),
  ])

  /** @param {string} route its method and its path below the shop */
  const find = (route) => {
    const [method, path = ''] = route.split(' ')
    const shape = `/v1/shops/{}${path}`.replaceAll(/\{\w+\}/g, '{}')
    const found = operations.find((each) => each.method === method && each.path.replaceAll(/\{\w+\}/g, '{}') === shape)
    if (!found) throw new Error(`there is no operation ${route}`)
    return found
  }
  const bodyOf = (/** @type {string} */ route) => plain(find(route).body)
  const replyOf = (/** @type {string} */ path) => plain(find(`GET ${path}`).reply)

  /** @param {import('./src/shop-file/sections.ts').SettingGroup} group @param {readonly string[]} [leftOut] */
  const settings = ({ read, at, write, under }, leftOut) => {
    const body = bodyOf(write)
    const reply = replyOf(read)
    const given = under ? (body.properties?.[under] ?? {}) : body
    return object({
      ...withReplyNulls(without(given, leftOut), at ? reply.properties?.[at] : reply),
      required: undefined,
    })
  }

  /** @param {import('./src/shop-file/sections.ts').ListSection} section @param {readonly string[]} [leftOut] */
  const items = ({ create, list, key, discount, writeOnce = [], hiddenValues = [], noun }, leftOut = []) => {
    const body = without(bodyOf(create), leftOut)
    const reply = replyOf(list).items ?? {}
    const { discount_id: _id, ...properties } = withReplyNulls(body, reply).properties ?? {}
    const code = { type: 'string', minLength: 1, maxLength: 255, description: 'The code of a discount' }
    if (discount) properties.discount = discount === 'required' ? code : { anyOf: [code, { type: 'null' }] }
    for (const name of writeOnce) properties[name] = secret(properties[name])
    const needed = (body.required ?? []).filter((name) => name !== 'discount_id')
    for (const name of key) properties[name] = { ...withoutNull(properties[name] ?? {}), minLength: 1 }
    for (const name of hiddenValues) {
      const known = properties[name]?.items?.properties
      if (known) properties[name] = { ...properties[name], items: hidden(known) }
    }
    // The API ignores fields of another type; in a file they are mistakes.
    const actions = reply.properties?.actions?.items
    if (actions) properties.actions = { ...properties.actions, items: { anyOf: alternatives(actions).map(object) } }
    const required = key.filter((name) => noun !== 'deal' || name === 'discount')
    return {
      type: 'array',
      items: object({ properties, required, 'x-needed-when-new': needed.filter((name) => !required.includes(name)) }),
    }
  }

  /** @param {Schema} [schema] @returns {Schema} */
  const secret = (schema) => ({
    type: 'string',
    pattern: referencePattern,
    description: schema?.description ?? `A reference to the environment, such as $\{NAME}`,
    'x-secret': true,
  })

  /** A name with a value that is never shown. @param {Record<string, Schema>} known */
  const hidden = (known) => object({ properties: { ...known, value: secret(known.value) }, required: ['name'] })

  /** @param {string} name @returns {Record<string, Schema>} */
  const credentials = (name) => {
    const known = keyedSystems.find((system) => system.name === name)?.form.schema
    if (!known) return {}
    const { properties = {}, required } = plain(known)
    const fields = Object.entries(properties).map(([field, schema]) => [
      field,
      sections.plainCredentials.includes(field) ? withoutNull(schema) : secret(withoutNull(schema)),
    ])
    return { credentials: object({ properties: Object.fromEntries(fields), required }) }
  }

  const bundle = replyOf('/settings/bundle').properties?.triggers?.properties?.data?.properties ?? {}
  /** @param {string} name @returns {[string, Schema]} */
  const integration = (name) => {
    const update = new Map(Object.entries(triggerUpdates)).get(name)
    const own = update ? withReplyNulls(plain(update), bundle[name]).properties : {}
    const hasTriggers = bundle[name]?.properties?.internal_triggers !== undefined
    /** @type {Record<string, Schema>} */
    const triggers = hasTriggers
      ? { internal_triggers: items(sections.internalTriggersOf('{integration}'), sections.leftOut.internalTriggers) }
      : {}
    return [name, object({ properties: { ...own, ...credentials(name), ...triggers } })]
  }
  const integrations = [...new Set([...Object.keys(triggerUpdates), ...keyedSystems.map((system) => system.name)])]

  /** @type {Record<string, Schema>} */
  const definitions = {
    profile: settings(sections.profile, sections.leftOut.profile),
    settings: object({
      properties: Object.fromEntries(
        Object.entries(sections.settingGroups).map(([name, group]) => [name, settings(group)]),
      ),
    }),
    integrations: object({ properties: Object.fromEntries(integrations.map(integration)) }),
    ...Object.fromEntries(Object.entries(sections.listSections).map(([name, section]) => [name, items(section)])),
  }
  const parts = Object.fromEntries(Object.keys(definitions).map((name) => [name, { $ref: `#/$defs/${name}` }]))
  const slug = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$', description: 'The slug of a shop' }
  const path = { type: 'string', minLength: 1, description: 'A file, seen from the folder of this one' }
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Doorstep shop file',
    description: 'What a shop, or many, should look like: doorstep plan, doorstep apply, doorstep pull.',
    ...object({
      properties: {
        shop: slug,
        shops: {
          description: 'The shops that all of this is for; a map gives each what it has of its own',
          anyOf: [
            { type: 'array', items: slug, minItems: 1, uniqueItems: true },
            {
              type: 'object',
              patternProperties: {
                [slug.pattern]: { anyOf: [object({ properties: parts }), { type: 'null' }] },
              },
              additionalProperties: false,
            },
          ],
        },
        extends: {
          description: 'Files with parts that several shops share; what this file says counts more',
          anyOf: [path, { type: 'array', items: path, minItems: 1 }],
        },
        ...parts,
      },
    }),
    $defs: definitions,
  }
  return `${JSON.stringify(schema, undefined, 1)}\n`
}

/** @param {Schema} schema @returns {Schema} */
function object(schema) {
  return { type: 'object', ...schema, additionalProperties: false }
}

/**
 * A schema without the parts that only the API needs.
 * @param {unknown} schema
 * @returns {Schema}
 */
function plain(schema) {
  return /** @type {Schema} typebox makes JSON Schema */ (
    JSON.parse(
      JSON.stringify(schema, (key, value) => {
        const isInternal = key === 'title' && typeof value === 'string'
        const isExtension = key.startsWith('x-') || key.startsWith('~')
        return isInternal || isExtension || (key === 'examples' && Array.isArray(value)) ? undefined : value
      }),
    )
  )
}

/** @param {Schema} schema @param {readonly string[]} [names] @returns {Schema} */
function without(schema, names = []) {
  const kept = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  return { ...schema, properties: Object.fromEntries(kept) }
}

/**
 * Null stays where the service returns it, too: there it means that there is nothing. Elsewhere it would mean "as it is" or
 * "the default", which a file says by leaving the field out.
 * @param {Schema} write
 * @param {Schema | undefined} reply
 * @returns {Schema}
 */
function withReplyNulls(write, reply) {
  const isNullable = alternatives(reply).some(({ type }) => type === 'null')
  const [schema = {}, ...others] = alternatives(write).filter(({ type }) => type !== 'null')
  const replies = alternatives(reply)
  /** @type {Schema} */
  let kept = others.length > 0 ? { ...write, anyOf: [schema, ...others] } : schema
  if (schema.properties && others.length === 0) {
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const known = replies.flatMap((each) => (each.properties?.[name] ? [each.properties[name]] : []))
      return [name, withReplyNulls(field, known.length > 0 ? { anyOf: known } : undefined)]
    })
    kept = { ...schema, properties: Object.fromEntries(fields), additionalProperties: false }
  }
  if (schema.items && others.length === 0) {
    const known = replies.flatMap((each) => (each.items ? [each.items] : []))
    kept = { ...schema, items: withReplyNulls(schema.items, known.length > 0 ? { anyOf: known } : undefined) }
  }
  return isNullable ? { anyOf: [...(kept.anyOf ?? [kept]), { type: 'null' }] } : kept
}

/** @param {Schema} schema @returns {Schema} */
function withoutNull(schema) {
  const [first = {}, ...others] = alternatives(schema).filter(({ type }) => type !== 'null')
  return others.length > 0 ? { anyOf: [first, ...others] } : first
}

/** @param {Schema | undefined} schema @returns {Schema[]} */
function alternatives(schema) {
  if (!schema) return []
  return schema.anyOf ? schema.anyOf.flatMap(alternatives) : [schema]
}
