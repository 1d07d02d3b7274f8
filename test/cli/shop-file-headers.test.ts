import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../packages/cli/src/shop-file/parse-yaml.ts'
import { planList } from '../../packages/cli/src/shop-file/plan-lists.ts'
import { RemoteShop } from '../../packages/cli/src/shop-file/remote-shop.ts'
import type { Schema } from '../../packages/cli/src/shop-file/schema.ts'
import { type ListSection, listSections } from '../../packages/cli/src/shop-file/sections.ts'
import { createClient } from '../../packages/client/src/client.ts'

const header: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, value: { type: 'string', 'x-secret': true } },
  required: ['name'],
}
const schema: Schema = {
  type: 'object',
  properties: { url: { type: 'string' }, headers: { type: 'array', items: header } },
  required: ['url'],
}

/** A shop with one webhook, whose header has a value that the service does not show. */
const client = createClient({
  baseUrl: 'http://doorstep.example',
  fetch: async () =>
    Response.json([{ uuid: '1', url: 'https://a.example', headers: [{ name: 'X-Key', value: null }] }]),
})

async function stepsFor(headers: string, writesSecrets = false) {
  const located = parseYaml('shop.yaml', `[{ url: "https://a.example", headers: ${headers} }]`)
  const section = listSections.webhooks as ListSection // it is one of them
  const remote = new RemoteShop(client, 'a-shop')
  const { steps } = await planList(
    remote,
    { name: 'webhooks', section, schema, located },
    { ids: new Map(), writesSecrets },
  )
  return [...steps.values()].map((step) => step.request(new Map()))
}

describe('headers of a webhook', () => {
  it('are the same if their names are: the service shows no values', async () => {
    expect(await stepsFor('[{ name: X-Key, value: secret }]')).toEqual([])
    expect(await stepsFor('[{ name: X-Key }]')).toEqual([])
  })

  it('are written with their values if names change, or when told', async () => {
    const headers = [
      { name: 'X-Key', value: 'secret' },
      { name: 'X-New', value: 'other' },
    ]
    expect(await stepsFor(JSON.stringify(headers))).toEqual([{ route: 'PATCH /webhooks/1', body: { headers } }])
    const same = headers.slice(0, 1)
    expect(await stepsFor(JSON.stringify(same), true)).toEqual([
      { route: 'PATCH /webhooks/1', body: { headers: same } },
    ])
  })
})
