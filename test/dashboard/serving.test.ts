import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type FastifyInstance, fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildDashboard } from '../../bin/build/dashboard.ts'
import { writeOutput } from '../../bin/build/output.ts'
import { readBundle } from '../../src/http/bundling/stored-bundle.ts'
import { Dashboard } from '../../src/http/dashboard/dashboard.ts'
import { mountDashboard } from '../../src/http/dashboard.ts'
import { newFolder } from '../harness/new-folder.ts'
import { type Cleanup, sharedByTests } from '../harness/process.ts'
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
    const style = /\/dashboard\/-\/index-[\w-]+\.css/.exec(page)
    expect((await app.inject(String(style))).headers['content-type']).toBe('text/css; charset=utf-8')
  })

  it('has no other files', async () => {
    const { app } = await serve()
    for (const name of ['main-OLD.js', 'manifest.json', '..%2f..%2fpackage.json', '__proto__']) {
      expect((await app.inject(`/dashboard/-/${name}`)).statusCode, name).toBe(404)
    }
  })

  it('says in words that it could not be built, and logs why once', async () => {
    const { app, lines } = await serve(temporaryFolder())
    const replies = [await app.inject('/dashboard'), await app.inject('/dashboard/a-shop')]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([503, 503])
    expect(replies[0]?.payload).toContain('The dashboard could not be built')
    expect((await app.inject('/dashboard/-/main.js')).statusCode).toBe(404)
    expect(lines).toEqual(['the dashboard could not be built; the API works without it'])
  })

  it('is not built with style sheets that no page would load', async () => {
    const source = writeSources()
    writeFileSync(join(source, 'later.ts'), "import './later.css'\nexport const greeting = 'styled'\n")
    writeFileSync(join(source, 'later.css'), 'p { color: red }\n')
    await expect(buildDashboard(temporaryFolder(), source)).rejects.toThrow(/^a page loads one style sheet/)
  })
})

describe('what is built', () => {
  it('is written by several processes at once without harm', async () => {
    const folder = temporaryFolder()
    await Promise.all([1, 2, 3].map(() => buildDashboard(folder, writeSources())))
    expect(readBundle(folder)).toEqual(readBundle(built()))
    expect(readdirSync(folder).sort()).toEqual(readdirSync(built()).sort())
  })

  it('leaves files of the build before to processes that run, and removes older ones', () => {
    const folder = temporaryFolder()
    const write = (...names: string[]) => writeOutput(folder, { files: filesOf(names), parts: names })
    write('main.js', 'a-1.js')
    write('main.js', 'a-2.js')
    expect(readdirSync(folder).sort()).toEqual(['a-1.js', 'a-2.js', 'main.js', 'manifest.json'])
    expect([...readBundle(folder).files.keys()]).toEqual(['main.js', 'a-2.js'])
    write('main.js', 'a-1.js')
    write('main.js', 'a-3.js')
    expect(readdirSync(folder).sort()).toEqual(['a-1.js', 'a-3.js', 'main.js', 'manifest.json'])
  })
})

const filesOf = (names: string[]) => new Map(names.map((name) => [name, Buffer.from(name)]))

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
  /** The lines of the log. */
  lines: string[]
}

/** The folder that the smallest dashboard is built into. */
const built = sharedByTests(async (cleanup) => {
  const folder = newFolder()
  await buildDashboard(folder, writeSources(cleanup))
  return folder
})

/** Serves it from a folder. */
async function serve(folder = built()): Promise<Served> {
  const lines: string[] = []
  const note = (_detail: object, message: string) => void lines.push(message)
  const log = () => ({ info: note, warn: note, error: note })
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  mountDashboard(app, new Dashboard({ folder, log }))
  onTestFinished(() => app.close())
  return { app, lines }
}

function writeSources(cleanup: Cleanup = onTestFinished): string {
  const folder = temporaryFolder(cleanup)
  mkdirSync(join(folder, 'styles'))
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
  return folder
}

function temporaryFolder(cleanup: Cleanup = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-dashboard-'))
  cleanup(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
