import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { contents, frontPage, guidePath, pathOf } from './contents.ts'
import { renderLayout } from './layout.ts'
import { listForAgents, wholeGuide } from './llms.ts'
import { type GuidePage, readPage } from './page.ts'
import { renderSearchIndex } from './search-index.ts'
import { guideStyle } from './style.ts'

const folder = new URL('../../docs/guide/', import.meta.url)

/** Something that the guide serves: it never changes while the service runs. */
export interface GuideFile {
  mediaType: string
  text: string
  etag: string
}

/** The guide's pages and what they need, by path; read from docs/guide at the first request. */
export class Guide {
  private readonly makers: ReadonlyMap<string, { mediaType: string; make: () => string }>
  private readonly made = new Map<string, GuideFile>()
  private readonly pages: readonly GuidePage[]

  constructor(publicUrl: string) {
    this.pages = [frontPage, ...contents.flatMap(({ pages }) => pages)].map((name) =>
      readPage(name, readFileSync(new URL(`${name}.md`, folder), 'utf8')),
    )
    this.makers = new Map([
      ...this.pages.map(
        (page) => [pathOf(page.name), { mediaType: types.html, make: () => this.render(page) }] as const,
      ),
      ...this.pages.map((page) => [`${guidePath}/${page.name}.md`, plain(types.markdown, page.markdown)] as const),
      ...pictures(),
      [`${guidePath}/guide.css`, plain(types.css, guideStyle)],
      [`${guidePath}/guide.js`, plain(types.js, readBeside('guide.client.js'))],
      [`${guidePath}/icon.svg`, plain(types.svg, readBeside('icon.svg'))],
      [`${guidePath}/minisearch.js`, { mediaType: types.js, make: readMiniSearch }],
      [`${guidePath}/search.json`, { mediaType: types.json, make: () => renderSearchIndex(this.pages) }],
      ['/llms.txt', { mediaType: types.text, make: () => listForAgents(this.pages, publicUrl) }],
      ['/llms-full.txt', { mediaType: types.text, make: () => wholeGuide(this.pages) }],
    ])
  }

  find(path: string): GuideFile | undefined {
    const made = this.made.get(path)
    const maker = this.makers.get(path)
    if (made || !maker) return made
    const text = maker.make()
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    const file = { mediaType: maker.mediaType, text, etag }
    this.made.set(path, file)
    return file
  }

  /** For an address that the guide does not have. */
  notFound(): string {
    const markdown = `# There is no such page\n\nThe guide has no page at this address. Search it, or begin at its [front page](${frontPage}.md).\n`
    return renderLayout(readPage('not-found', markdown), this.pages).html
  }

  private render(page: GuidePage): string {
    return renderLayout(page, this.pages).html
  }
}

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}

function plain(mediaType: string, text: string): { mediaType: string; make: () => string } {
  return { mediaType, make: () => text }
}

function readBeside(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

/** The diagrams beside the pages. */
function pictures(): [string, { mediaType: string; make: () => string }][] {
  return readdirSync(new URL('diagrams/', folder))
    .filter((name) => name.endsWith('.svg'))
    .map((name) => [
      `${guidePath}/diagrams/${name}`,
      { mediaType: types.svg, make: () => readFileSync(new URL(`diagrams/${name}`, folder), 'utf8') },
    ])
}

/** The search library as it is published: one module without imports. */
function readMiniSearch(): string {
  const main = createRequire(import.meta.url).resolve('minisearch')
  return readFileSync(new URL('../es/index.js', `file://${main}`), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
}
