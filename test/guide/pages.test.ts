import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readPage } from '../../src/http/guide/page.ts'
import { renderMarkdown } from '../../src/http/guide/render.ts'
import { guideFolder, guidePages } from '../harness/guide-blocks.ts'
import { call, theService } from '../harness/service.ts'

const names = guidePages.map((page) => page.replace('.md', ''))
const get = (path: string, headers: Record<string, string> = {}) => call('GET', path, { auth: null, headers })

describe('the guide', () => {
  it.each(names)('has the page %s, for people and as Markdown', async (name) => {
    const page = await get(name === 'README' ? '/docs/guide' : `/docs/guide/${name}`)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toMatch(/<title>[^<]*Doorstep guide<\/title>/)
    expect(page.text.match(/<h1/g)).toHaveLength(1)
    const markdown = await get(`/docs/guide/${name}.md`)
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(markdown.text).toBe(readFileSync(new URL(`${name}.md`, guideFolder), 'utf8'))
  })

  it('allows nothing but its own files, and has nothing inline', async () => {
    const page = await get('/docs/guide/webhooks')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['content-security-policy']).not.toContain('unsafe')
    expect(page.text).not.toMatch(
      /<style|\sstyle=|\son\w+=|<script(?! type="module" src="\/docs\/guide\/guide\.js"><\/script>)/,
    )
  })

  it('has everything that its pages refer to', async () => {
    const pages = await Promise.all(names.map((name) => get(name === 'README' ? '/docs/guide' : `/docs/guide/${name}`)))
    const references = new Set(
      pages.flatMap(({ text }) => [...text.matchAll(/\s(?:href|src)="(\/[^"#]*)/g)].map(([, path = '']) => path)),
    )
    const missing = []
    for (const path of references) if ((await get(path)).status !== 200) missing.push(path)
    expect(missing).toEqual([])
    expect(references.size).toBeGreaterThan(names.length)
  })

  it('says so where there is no such page', async () => {
    const page = await get('/docs/guide/nowhere')
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('There is no such page')])
    for (const path of ['/docs/guide/../package.json', '/docs/guide/%2e%2e/README.md', '/docs/guide/constructor']) {
      expect((await get(path)).status).toBe(404)
    }
  })

  it('is sent once to a browser that keeps it, and compressed', async () => {
    const first = await get('/docs/guide/start')
    const etag = String(first.headers.etag)
    expect((await get('/docs/guide/start', { 'if-none-match': etag })).status).toBe(304)
    const { app } = await theService()
    const packed = await app.inject({ url: '/docs/guide/search.json', headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    const index = gunzipSync(packed.rawPayload).toString('utf8')
    expect(index).toContain('/docs/guide/concepts#deliveries-and-retries')
    expect(packed.rawPayload.length).toBeLessThan(100_000)
  })

  it('shows HTML in Markdown as text', () => {
    const page = readPage(
      'hostile',
      '# Title\n\n<script>alert(1)</script>\n\nA <b>word</b>, `<i>` and [a link](start.md "\\"x").\n',
    )
    const { html } = renderMarkdown(page)
    expect(html).not.toMatch(/<script|<b>|<i>/)
    expect(html).toContain('&lt;script&gt;')
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://elsewhere.example',
    '../../README.md',
    '//elsewhere.example',
  ])('rejects a link to %s', (target) => {
    expect(() => renderMarkdown(readPage('page', `# Title\n\n[x](${target})\n`))).toThrow('the guide links to')
  })
})

describe('/llms.txt', () => {
  it('lists every page with its address and what it is about', async () => {
    const { text, headers } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const listed = [...text.matchAll(/^- \[.+\]\(https:\/\/doorstep\.example\/docs\/guide\/([\w-]+)\.md\): \S.+\.$/gm)]
    expect(listed.map(([, name]) => name).toSorted()).toEqual(names.filter((name) => name !== 'README').toSorted())
  })

  it('comes with the whole guide in one file', async () => {
    const { text } = await get('/llms-full.txt')
    for (const name of names) expect(text).toContain(readFileSync(new URL(`${name}.md`, guideFolder), 'utf8').trim())
  })
})
