import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type FastifyInstance, fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findBundle, writeBundle } from '../../src/bundling/stored-bundle.ts'
import { bundleDashboard } from '../../src/dashboard/bundle.ts'
import { Dashboard } from '../../src/dashboard/dashboard.ts'
import { mountDashboard } from '../../src/http/dashboard.ts'
import { newFolder } from '../harness/new-folder.ts'
import { sharedByTests } from '../harness/process.ts'
import { call, startNode } from '../harness/service.ts'

/** The smallest dashboard: it starts, and loads a part of it later. */
const sources = {
  'main.tsx': "import('./later.ts').then(({ greeting }) => document.body.append(greeting))\n",
  'styles/index.css': 'body { margin: 0 }\n',
  'later.ts': `export const greeting = [\n${"  'This part was loaded when it was needed.',\n".repeat(50)}].join(' ')\n`,
}

describe('the dashboard', () => {
  it('is one page for all its addresses', async () => {
    const { app } = await serve()
    const pages = await Promise.all(
      ['/dashboard', '/dashboard/', '/dashboard/a-shop/orders?status=late', '/dashboard/a-shop/orders/1'].map((url) =>
        app.inject(url),
      ),
    )
    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(new Set(pages.map(({ payload }) => payload)).size).toBe(1)
    expect(pages[0]?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'none'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    })
  })

  it('has nothing inline, and a sentence for browsers without JavaScript', async () => {
    const { app } = await serve()
    const { payload } = await app.inject('/dashboard')
    expect(payload).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/)
    expect(payload).toMatch(/<noscript>\s*<p>The dashboard needs JavaScript/)
  })

  it('serves its files compressed, under names that change with their content', async () => {
    const { app } = await serve()
    const { payload: page } = await app.inject('/dashboard')
    const [script = ''] = /\/dashboard\/-\/main-[\w-]+\.js/.exec(page) ?? []
    const plain = await app.inject(script)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    const part = `/dashboard/-/${/later-[\w-]+\.js/.exec(plain.payload)}`
    const [text, brotli, gzip] = await Promise.all(
      ['identity', 'gzip, deflate, br', 'gzip'].map((encoding) =>
        app.inject({ url: part, headers: { 'accept-encoding': encoding } }),
      ),
    )
    expect([text, brotli, gzip].map((reply) => reply?.headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
    expect(brotliDecompressSync(brotli?.rawPayload ?? '').toString()).toBe(text?.payload)
    expect(gunzipSync(gzip?.rawPayload ?? '').toString()).toBe(text?.payload)
    const style = /\/dashboard\/-\/index-[A-Z0-9]+\.css/.exec(page)
    expect((await app.inject(String(style))).headers['content-type']).toBe('text/css; charset=utf-8')
  })

  it('has no other files', async () => {
    const { app } = await serve()
    for (const name of ['main-OLD.js', 'manifest.json', '..%2f..%2fpackage.json', '__proto__']) {
      expect((await app.inject(`/dashboard/-/${name}`)).statusCode, name).toBe(404)
    }
  })

  it('is built once for the same sources, and again when they change', async () => {
    const { app, lines, source, cache } = await serve({ cache: join(temporaryFolder(), 'cache') })
    await app.inject('/dashboard')
    const second = await serve({ source, cache })
    await second.app.inject('/dashboard')
    expect([lines.length, second.lines.length]).toEqual([1, 0])
    writeFileSync(join(source, 'later.ts'), "export const greeting = 'changed'\n")
    const third = await serve({ source, cache })
    expect((await third.app.inject('/dashboard')).statusCode).toBe(200)
    expect(third.lines).toEqual(['the dashboard is built'])
    expect(readdirSync(cache).filter((name) => name.startsWith('dashboard-')).length).toBe(1)
  })

  it('is written by several processes at once without harm', async () => {
    const [source, cache] = [writeSources(), temporaryFolder()]
    const bundle = await bundleDashboard(source)
    const folder = join(cache, 'dashboard-0123456789abcdef')
    await Promise.all([1, 2, 3].map(() => writeBundle(folder, bundle, 'stamp')))
    expect(findBundle(folder, 'stamp')?.files.size).toBe(bundle.files.size)
    expect(readdirSync(cache)).toEqual(['dashboard-0123456789abcdef'])
  })

  it('is kept in the next folder if the first cannot be written', async () => {
    const blocked = join(temporaryFolder(), 'a-file')
    writeFileSync(blocked, '')
    const cache = join(temporaryFolder(), 'cache')
    const { app } = await serve({ cacheFolders: [join(blocked, 'cache'), cache] })
    expect((await app.inject('/dashboard')).statusCode).toBe(200)
    expect(readdirSync(cache).some((name) => name.startsWith('dashboard-'))).toBe(true)
  })

  it('says that it is being built if that takes long, and loads itself again', async () => {
    const { app, dashboard } = await serve()
    dashboard.stateWithin = async () => ({ is: 'opening' })
    const reply = await app.inject('/dashboard/a-shop')
    expect(reply.statusCode).toBe(503)
    expect(reply.headers['retry-after']).toBe('2')
    expect(reply.payload).toMatch(/http-equiv="refresh"[\s\S]*The dashboard is being built/)
  })

  it('says in words that it could not be built, and logs why once', async () => {
    const { app, lines, source } = await serve()
    writeFileSync(join(source, 'main.tsx'), 'import "./not-there.ts"\n')
    const replies = [await app.inject('/dashboard'), await app.inject('/dashboard/a-shop')]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([503, 503])
    expect(replies[0]?.payload).toContain('The dashboard could not be built')
    expect(lines).toEqual(['the dashboard could not be built; the API works without it'])
  })

  it('rejects style sheets that no page would load', async () => {
    const { app, source } = await serve()
    writeFileSync(join(source, 'later.ts'), "import './later.css'\nexport const greeting = 'styled'\n")
    writeFileSync(join(source, 'later.css'), 'p { color: red }\n')
    expect((await app.inject('/dashboard')).statusCode).toBe(503)
  })
})

describe('the root address', () => {
  it('leads a browser to the dashboard', async () => {
    const reply = await call('GET', '/', {
      auth: null,
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    })
    expect([reply.status, reply.headers.location]).toEqual([302, '/dashboard'])
  })

  it('stays an error for programs', async () => {
    const reply = await call('GET', '/', { auth: null, headers: { accept: '*/*' } })
    expect([reply.status, reply.body.message]).toEqual([404, 'There is no GET /. The reference is at /docs.'])
  })

  it('leads nowhere on a node that only works', async () => {
    const node = await startNode({ ROLE: 'worker' })
    const reply = await call('GET', '/', { auth: null, headers: { accept: 'text/html' } }, node)
    expect(reply.status).toBe(404)
    expect((await call('GET', '/dashboard', { auth: null }, node)).status).toBe(404)
    await node.stop()
  })
})

interface Served {
  app: FastifyInstance
  dashboard: Dashboard
  /** What was logged. */
  lines: string[]
  source: string
  cache: string
}

/** What tests that do not look into the cache have made of the same sources. */
const commonCache = sharedByTests(async () => join(newFolder(), 'cache'))

/** Serves it from a folder of its own. */
async function serve(given: { source?: string; cache?: string; cacheFolders?: string[] } = {}): Promise<Served> {
  const source = given.source ?? writeSources()
  const cache = given.cache ?? commonCache()
  const lines: string[] = []
  const note = (_detail: object, message: string) => void lines.push(message)
  const log = () => ({ info: note, warn: note, error: note })
  const dashboard = new Dashboard({ folder: source, cacheFolders: given.cacheFolders ?? [cache], log })
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  mountDashboard(app, dashboard)
  onTestFinished(() => app.close())
  return { app, dashboard, lines, source, cache }
}

function writeSources(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'styles'))
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
  return folder
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-dashboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
