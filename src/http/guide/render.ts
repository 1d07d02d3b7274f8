import { Marked, type Tokens } from 'marked'
import { type Html, html, slugOf } from '../../platform/foundation/html.ts'
import { frontPage, pathOf } from './contents.ts'
import { type GuidePage, plainText } from './page.ts'

/** The HTML of a page's Markdown. HTML within it is shown as text, so a page cannot contain a script. */
export function renderMarkdown(page: GuidePage): Html {
  return { html: marked.parser(page.tokens) }
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const words: Html = { html: this.parser.parseInline(tokens) }
      const id = slugOf(plainText(tokens))
      if (depth === 1) return html`<h1>${words}</h1>\n`.html
      return html`<h${depth} id="${id}"><a href="#${id}">${words}</a></h${depth}>\n`.html
    },
    code({ text, lang }) {
      return renderCode(text, readInfo(lang ?? '')).html
    },
    html({ text }) {
      return html`${text}`.html
    },
    image({ href, text }) {
      return html`<img src="${addressOf(href)}" alt="${text}" loading="lazy">`.html
    },
    link({ href, tokens }) {
      return html`<a href="${addressOf(href)}">${{ html: this.parser.parseInline(tokens) }}</a>`.html
    },
    table(token) {
      return renderTable(token, (cell) => ({ html: this.parser.parseInline(cell.tokens) })).html
    },
  },
})

/** The text behind the fence of a block of code: its language, and how the tests run it. */
export interface BlockInfo {
  language: string
  /** `run`, `start`, … */
  words: string[]
  /** `file=receiver.mjs` */
  fields: Map<string, string>
}

export function readInfo(info: string): BlockInfo {
  const [language = '', ...rest] = info.match(/[^\s"=]+="[^"]*"|\S+/g) ?? []
  const given = rest.map((word) => /^([a-z]+)="?([^"]*)"?$/.exec(word) ?? [word, word])
  return {
    language,
    words: given.filter((match) => match.length === 2).map(([word = '']) => word),
    fields: new Map(given.filter((match) => match.length === 3).map(([, name = '', value = '']) => [name, value])),
  }
}

function renderCode(text: string, { language, words, fields }: BlockInfo): Html {
  const picture = fields.get('picture')
  if (language === 'mermaid' && picture !== undefined) {
    const address = addressOf(`diagrams/${picture}`)
    return html`<p class="diagram"><a href="${address}"><img src="${address}" alt="${fields.get('alt') ?? ''}"></a></p>\n`
  }
  const isOutput = words.includes('output')
  const title = isOutput ? 'Output' : fields.get('file')
  const caption = title === undefined ? undefined : html`<figcaption>${title}</figcaption>`
  return html`<figure class="${isOutput ? 'output' : 'code'}">${caption}<pre tabindex="0"><code>${text}</code></pre></figure>\n`
}

function renderTable({ header, rows }: Tokens.Table, show: (cell: Tokens.TableCell) => Html): Html {
  const titles = header.map((cell) => plainText(cell.tokens))
  // On phones a row becomes a list, and from the third column on one has to know what is what.
  const titleOf = (index: number) =>
    index > 0 && titles.length > 2 && titles[index] ? html` data-title="${titles[index]}"` : undefined
  const hasTitles = titles.some((title) => title !== '')
  const head = html`<thead><tr>${header.map((cell, index) => (titles[index] === '' ? html`<td></td>` : html`<th scope="col">${show(cell)}</th>`))}</tr></thead>`
  return html`<table>${hasTitles ? head : undefined}<tbody>
${rows.map((row) => html`<tr>${row.map((cell, index) => html`<td${titleOf(index)}>${show(cell)}</td>`)}</tr>\n`)}</tbody></table>\n`
}

/** Links between pages are links between files in the repository. */
function addressOf(href: string): string {
  const [, name, hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name !== undefined) return `${pathOf(name)}${hash}`
  if (/^diagrams\/[\w-]+\.svg$/.test(href)) return `${pathOf(frontPage)}/${href}`
  if (/^(#|\/[\w.]|https:\/\/|http:\/\/localhost)/.test(href)) return href
  throw new Error(`the guide links to ${href}, which is neither a page nor a web address`)
}
