import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ApiDescription } from '../../src/http/openapi.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { addToRegistry, copyCheckout } from '../harness/checkout.ts'
import { go } from '../harness/dashboard.ts'
import { callApi, makeFolder, makeShop, makeStore, operator, sharedByTests, start } from '../harness/process.ts'
import { openStage } from '../harness/stage.ts'

const run = promisify(execFile)

/** A carrier and a marketing system that do not exist, as their folders would describe them. */
const folders = {
  'carriers/acme/description.ts': `import { apiKey } from '../../credentials.ts'
import { describeProvider } from '../provider.ts'

export const acme = describeProvider({
  name: 'acme',
  label: 'Acme Parcels',
  kind: 'carrier',
  isListedUnset: false,
  credentials: apiKey({ removal: 'credentials', hint: 'A key of Acme.' }),
  hosts: ['api.acme.example'],
  carriers: ['dpd'],
  limit: { requests: 7, perMs: 1_000 },
  parcelsPerRequest: 1,
  abilities: [],
  sample: { carrierReference: 'dpd', trackingNumber: '01234567890123' },
  load: () => import('./adapter.ts'),
})
`,
  'carriers/acme/adapter.ts': `import type { AdapterWith } from '../provider.ts'

export function create(): AdapterWith {
  return { track: async () => ({ result: 'found', reports: [] }) }
}
`,
  'marketing/postbox/description.ts': `import { Named, Type } from '../../../platform/foundation/schema.ts'
import { describeIntegration } from '../integration.ts'

export const postbox = describeIntegration({
  name: 'postbox',
  label: 'Post Box',
  kind: 'marketing',
  isListedUnset: false,
  credentials: {
    schema: Named('PostboxCredentials', Type.Object({
      account: Type.String({ examples: ['river-and-pine'], maxLength: 100 }),
      token: Type.String({ examples: ['0123456789abcdef'], maxLength: 100 }),
    })),
    secrets: ['token'],
    removal: 'credentials',
  },
  hosts: ['api.postbox.example'],
  setting: { name: 'region', schema: Type.String({ maxLength: 20, examples: ['eu'] }) },
  requestsPerSecond: 3,
  abilities: [],
  hasSegmentSwitch: false,
  load: () => import('./adapter.ts'),
})
`,
  'marketing/postbox/adapter.ts': `import type { AdapterWith } from '../integration.ts'

export function create(): AdapterWith {
  return { send: async () => ({ result: 'delivered', status: 200, body: '' }) }
}
`,
}

describe('a system that is a folder and a line of its registry', () => {
  const shared = sharedByTests(async (cleanup) => {
    const folder = makeFolder(cleanup)
    copyCheckout(folder)
    for (const [path, text] of Object.entries(folders)) {
      const file = join(folder, 'src/adapters', path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, text)
    }
    addToRegistry(folder, { port: 'carriers', name: 'acme' })
    addToRegistry(folder, { port: 'marketing', name: 'postbox' })
    const tsx = join(folder, 'node_modules/tsx/dist/cli.mjs')
    await run(process.execPath, [tsx, 'packages/client/generate.js'], { cwd: folder })
    await run(process.execPath, [tsx, 'bin/generate-systems.ts'], { cwd: folder })
    await run(process.execPath, ['bin/build.js'], { cwd: folder })
    const service = await start(
      { DATA_DIR: await makeStore(cleanup) },
      { program: join(folder, 'bin/doorstep.js'), cleanup },
    )
    await makeShop(service, operator, 'a-shop')
    return { folder, service }
  })
  const call = async (method: string, path: string, body?: unknown) =>
    (await callApi(shared().service, operator, `${method} /v1${path}`, { body })).body

  it('is among the systems, with its credentials and what it can do', async () => {
    const systems = await call('GET', '/systems')
    expect(systems).toContainEqual({
      name: 'acme',
      label: 'Acme Parcels',
      kind: 'carrier',
      capabilities: ['tracking', 'check'],
      carriers: ['dpd'],
      credential_schema: {
        type: 'object',
        required: ['api_key'],
        properties: { api_key: { type: 'string', minLength: 16, maxLength: 128, writeOnly: true } },
      },
    })
    expect(systems).toContainEqual(expect.objectContaining({ name: 'postbox', label: 'Post Box', kind: 'marketing' }))
  })

  it('has operations for its credentials, which are listed masked once they are set', async () => {
    expect(await call('GET', '/shops/a-shop/keys')).not.toHaveProperty('acme')
    await call('PUT', '/shops/a-shop/keys/acme', { api_key: 'acme-0123456789-abcd' })
    await call('PUT', '/shops/a-shop/keys/postbox', { account: 'river-and-pine', token: 'tok-0123456789-wxyz' })
    expect(await call('GET', '/shops/a-shop/keys')).toMatchObject({
      acme: '****abcd',
      postbox: { account: '****ine', token: '****wxyz' },
    })
    const described = await fetch(`${shared().service.url}/openapi.json`)
    const description = (await described.json()) as ApiDescription // by its own address
    expect(description.paths['/v1/shops/{slug}/keys/acme']?.put).toMatchObject({
      operationId: 'setAcmeParcelsCredentials',
      summary: 'Set the credentials for Acme Parcels',
      description: expect.stringMatching(/^A key of Acme\. Replaces/),
    })
  })

  it('of carriers has its fields in the settings, and is checked', async () => {
    await call('PATCH', '/shops/a-shop/settings/carriers/providers', { acme: { status: 'testing' } })
    const bundle = await call('GET', '/shops/a-shop/settings/bundle')
    expect(bundle).toMatchObject({ carriers: { data: { acme_status: 'testing', acme_enabled_carriers: [] } } })
    expect(await call('POST', '/shops/a-shop/connections/acme/check')).toMatchObject({ name: 'acme', result: 'ok' })
    expect(await call('GET', '/shops/a-shop/connections')).toMatchObject({
      providers: expect.arrayContaining([{ name: 'acme', has_credentials: true, state: 'connected' }]),
    })
  })

  it('of marketing has trigger settings, which are listed once they are set', async () => {
    expect(await call('GET', '/shops/a-shop/settings')).not.toHaveProperty('triggers.postbox')
    const changed = await call('PATCH', '/shops/a-shop/settings/triggers/postbox', { status: true, region: 'eu' })
    expect(changed).toMatchObject({ status: true, region: 'eu', stale_event_threshold: 4 })
    expect(await call('GET', '/shops/a-shop/settings')).toMatchObject({ triggers: { postbox: true } })
    expect(await call('GET', '/shops/a-shop/settings/bundle')).toMatchObject({
      triggers: { data: { postbox: { status: 'live', region: 'eu' } } },
    })
    expect(await call('GET', '/shops/a-shop/integrations')).toMatchObject({
      integrations: expect.arrayContaining([
        expect.objectContaining({ integration: 'postbox', name: 'Post Box', is_on: true, has_credentials: true }),
      ]),
    })
  })

  it('is in the tables of the guide', () => {
    const page = readFileSync(join(shared().folder, 'docs/guide/systems.md'), 'utf8')
    expect(page).toContain('| Acme Parcels | `acme` | carrier | `api_key` | `dpd` | no | 7 in 1 s |')
    expect(page).toContain('| Post Box | `postbox` | `account`, `token` | `region` | no |')
  })

  describeInBrowser('in the dashboard', () => {
    it('has a guide that connects it, with its name and a form for its credentials', async () => {
      const { service } = shared()
      const { browser } = await openStage()
      const context = await browser.newContext({ baseURL: service.url, locale: 'en-GB' })
      try {
        await context.request.post('/v1/session', { data: { username: operator.username, api_key: operator.apiKey } })
        await call('DELETE', '/shops/a-shop/keys/acme')
        const page = await context.newPage()
        await go(page, '/dashboard/a-shop/connect/providers/acme')
        await page.getByRole('heading', { name: 'Connect Acme Parcels' }).waitFor()
        await page.getByLabel('API key').waitFor()
        await go(page, '/dashboard/a-shop/connect')
        await page.getByRole('heading', { name: 'Post Box' }).waitFor()
      } finally {
        await context.close()
      }
    })
  })
})
