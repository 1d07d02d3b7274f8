import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import MiniSearch from 'minisearch'
import { MadeDocuments, type PublicDocument } from '../../platform/foundation/public-document.ts'
import { inOneStep, type Steps } from '../../platform/foundation/steps.ts'
import { contents, frontPage, guidePath, pathOf } from './contents.ts'
import { renderLayout } from './layout.ts'
import { type GuidePage, readPage } from './page.ts'
import { guideStyle } from './style.ts'

const folder = new URL('../../../docs/guide/', import.meta.url)

interface Maker {
  mediaType: string
  make: () => Steps<string>
}

/** The guide's pages and what they need, by path; read from docs/guide at the first request. */
export class Guide {
  private readonly makers: ReadonlyMap<string, Maker>
  private readonly missing: Maker
  private readonly documents = new MadeDocuments<Maker>()
  private readonly pages: readonly GuidePage[]

  private constructor(pages: readonly GuidePage[], publicUrl: string) {
    this.pages = pages
    this.makers = new Map([
      ...this.pages.map((page) => [pathOf(page.name), makerOf(types.html, () => this.render(page))] as const),
      ...this.pages.map((page) => [`${guidePath}/${page.name}.md`, plain(types.markdown, page.markdown)] as const),
      ...pictures(),
      [`${guidePath}/guide.css`, plain(types.css, guideStyle)],
      [`${guidePath}/guide.js`, plain(types.js, readBeside('guide.client.js'))],
      [`${guidePath}/icon.svg`, plain(types.svg, readBeside('icon.svg'))],
      [`${guidePath}/minisearch.js`, makerOf(types.js, readMiniSearch)],
      [`${guidePath}/search.json`, { mediaType: types.json, make: () => renderSearchIndex(this.pages) }],
      ['/llms.txt', makerOf(types.text, () => listForAgents(this.pages, publicUrl))],
      ['/llms-full.txt', makerOf(types.text, () => wholeGuide(this.pages))],
    ])
    this.missing = makerOf(types.html, () => this.renderNotFound())
  }

  /** Reads all pages. */
  static *open(publicUrl: string): Steps<Guide> {
    const pages: GuidePage[] = []
    for (const name of [frontPage, ...contents.flatMap(({ pages }) => pages)]) {
      pages.push(readPage(name, readFileSync(new URL(`${name}.md`, folder), 'utf8')))
      yield
    }
    return new Guide(pages, publicUrl)
  }

  find(path: string): Promise<PublicDocument> | undefined {
    const maker = this.makers.get(path)
    return maker && this.documentOf(maker)
  }

  /** For an address that the guide does not have. */
  notFound(): Promise<PublicDocument> {
    return this.documentOf(this.missing)
  }

  /** Made at its first request; it never changes while the service runs. */
  private documentOf(maker: Maker): Promise<PublicDocument> {
    return this.documents.get(maker, maker.mediaType, maker.make)
  }

  private renderNotFound(): string {
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

function plain(mediaType: string, text: string): Maker {
  return makerOf(mediaType, () => text)
}

function makerOf(mediaType: string, make: () => string): Maker {
  return { mediaType, make: () => inOneStep(make) }
}

function readBeside(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

/** The diagrams beside the pages. */
function pictures(): [string, Maker][] {
  return readdirSync(new URL('diagrams/', folder))
    .filter((name) => name.endsWith('.svg'))
    .map((name) => [
      `${guidePath}/diagrams/${name}`,
      makerOf(types.svg, () => readFileSync(new URL(`diagrams/${name}`, folder), 'utf8')),
    ])
}

/** The search library as it is published: one module without imports. */
function readMiniSearch(): string {
  const main = createRequire(import.meta.url).resolve('minisearch')
  return readFileSync(new URL('../es/index.js', `file://${main}`), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
}

/** /llms.txt: what there is to read, for programs that read instead of people. */
function listForAgents(pages: readonly GuidePage[], publicUrl: string): string {
  const byName = new Map(pages.map((page) => [page.name, page]))
  const line = ({ name, title, summary }: GuidePage) => `- [${title}](${publicUrl}${guidePath}/${name}.md): ${summary}`
  const subjects = contents.map(({ title, pages: names }) => {
    const own = names.map((name) => byName.get(name)).filter((page) => page !== undefined)
    return `## ${title}\n\n${own.map(line).join('\n')}\n`
  })
  return `# Doorstep

> ${byName.get(frontPage)?.summary ?? ''}

Every page of the guide is Markdown. The API is described by ${publicUrl}/openapi.json (OpenAPI 3.1), with the same content for people at
${publicUrl}/docs; what is sent, by ${publicUrl}/asyncapi.json (AsyncAPI). Agents with tools connect to ${publicUrl}/mcp. The whole guide in one file: ${publicUrl}/llms-full.txt

${subjects.join('\n')}`
}

function wholeGuide(pages: readonly GuidePage[]): string {
  return pages
    .map(({ markdown }) => markdown.trim())
    .join('\n\n---\n\n')
    .concat('\n')
}

/** The index that the browser searches, as JSON: one entry per section. guide.client.js reads it with the same fields. */
function* renderSearchIndex(pages: readonly GuidePage[]): Steps<string> {
  const index = new MiniSearch({
    idField: 'path',
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'text'],
  })
  for (const page of pages) {
    for (const { id, heading, text } of page.sections) {
      const path = id === '' ? pathOf(page.name) : `${pathOf(page.name)}#${id}`
      index.add({ path, title: page.title, heading, text })
      yield
    }
  }
  return JSON.stringify(index)
}
