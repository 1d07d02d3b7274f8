import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle, contentsOf } from '../../bin/build/bundle.ts'
import { buildPackage } from '../../packages/client/build.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const consumer = `
import { ApiError, createClient, isApiError } from 'doorstep-client'
import { shipmentEvents } from 'doorstep-client/event-names'
import { isEvent, type WebhookEvent } from 'doorstep-client/events'
import { followEvents } from 'doorstep-client/feed'
import { paginate } from 'doorstep-client/pages'
import { retrying } from 'doorstep-client/retries'
import { systems } from 'doorstep-client/systems'
import { signWebhook, verifyWebhook, WebhookError } from 'doorstep-client/webhooks'

const sent = []
const fetch = retrying({
  fetch: async (request) => {
    sent.push(request.url)
    return Response.json({ key: 'shop_not_found', message: 'No such shop.', type: 'x', errors: [] }, { status: 404 })
  },
})
const client = createClient({ baseUrl: 'http://doorstep.example', fetch })
const params = { path: { slug: 'a-shop' } }
const calls = [
  client.get('/v1/shops/{slug}', { params }),
  paginate(client, '/v1/shops/{slug}/orders', { params }).next(),
  followEvents(client, 'a-shop').next(),
]
const failures = await Promise.all(calls.map((call) => call.catch((error) => error)))
const body = JSON.stringify({ source: 'claims', ref: 'claims/created', event_data: { event_name: 'created' } })
const event: WebhookEvent = await verifyWebhook(body, await signWebhook(body, 'a-secret'), 'a-secret')
const wrong = await verifyWebhook(body, {}, 'a-secret').catch((error) => error)
console.log(
  JSON.stringify({
    failures: failures.map((error) => error instanceof ApiError && isApiError(error, 'shop_not_found')),
    paths: sent.map((url) => new URL(url).pathname),
    isCreated: isEvent(event, 'CLAIM_CREATED'),
    reason: wrong instanceof WebhookError && wrong.reason,
    label: systems.aftership.label,
    names: Object.keys(shipmentEvents).length,
  }),
)
`

describe('the published package', () => {
  let folder: string
  let installed: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doorstep-client-'))
    buildPackage(join(folder, 'built'))
    const npm = (...args: string[]) => run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder })
    const { stdout } = await npm('pack', './built', '--json')
    const [{ filename }] = JSON.parse(stdout)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
    await npm('install', `./${filename}`)
    installed = join(folder, 'node_modules', 'doorstep-client')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('installs without the network and without other packages', async () => {
    expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'doorstep-client',
    ])
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'doorstep-client', license: 'Apache-2.0' })
    expect(manifest.private ?? manifest.dependencies ?? manifest.scripts).toBeUndefined()
    expect(await readdir(installed)).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'client.js', 'client.d.ts']),
    )
    expect(readFileSync(join(installed, 'openapi-fetch.js'), 'utf8')).toContain('MIT License')
  })

  it('has every entry point of the sources', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'))
    const imported = [...consumer.matchAll(/from 'doorstep-client(.*)'/g)].map(([, entry]) => `.${entry}`)
    expect(Object.keys(exports).toSorted()).toEqual(imported.toSorted())
  })

  it('works in plain Node', async () => {
    const script = consumer.replace(', type WebhookEvent', '').replace(': WebhookEvent', '')
    writeFileSync(join(folder, 'consumer.js'), script)
    const { stdout } = await run(process.execPath, ['consumer.js'], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual({
      failures: [true, true, true],
      paths: ['/v1/shops/a-shop', '/v1/shops/a-shop/orders', '/v1/shops/a-shop/events'],
      isCreated: true,
      reason: 'signature_missing',
      label: 'AfterShip',
      names: 160,
    })
  })

  it('has types that a strict project accepts', async () => {
    const source = consumer.replace('const sent = []', 'const sent: string[] = []')
    writeFileSync(join(folder, 'consumer.ts'), source)
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [], skipLibCheck: false }
    const compilerOptions = { ...options, lib: ['es2023', 'dom', 'dom.iterable'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error)
    expect(stdout).toBe('')
  })

  it('bundles for browsers and edge runtimes, with nothing of Node', async () => {
    const scripts = (await readdir(installed)).filter((name) => name.endsWith('.js'))
    const imports = scripts.flatMap((name) => importsOf(readFileSync(join(installed, name), 'utf8')))
    expect(imports.filter((name) => !name.startsWith('./'))).toEqual([])
    const script = await bundled("export * from 'doorstep-client'; export * from 'doorstep-client/webhooks'")
    for (const name of builtinModules) expect(importsOf(script)).not.toContain(name)
    expect(script).not.toMatch(/\bBuffer\b|\brequire\(/)
  })

  it('has nothing in a bundle that is not imported', async () => {
    const script = await bundled("import { isEvent } from 'doorstep-client/events'; console.log(isEvent)")
    expect(script.length).toBeLessThan(500)
    expect(await bundled("import 'doorstep-client'; import 'doorstep-client/event-names'")).toBe('')
  })

  async function bundled(contents: string): Promise<string> {
    const input = join(folder, 'bundled.ts')
    writeFileSync(input, contents)
    const files = await bundle({
      root: folder,
      build: { rolldownOptions: { input, preserveEntrySignatures: 'strict' } },
    })
    const [script = ''] = contentsOf(files).values()
    return script.toString().trim()
  }
})

function importsOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, name]) => String(name))
}
