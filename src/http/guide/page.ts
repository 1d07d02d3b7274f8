import { Marked, type Token, type Tokens } from 'marked'
import { slugOf } from '../../platform/foundation/html.ts'

/** A page of the guide, read from its Markdown. */
export interface GuidePage {
  /** Of the file, without its ending. */
  name: string
  markdown: string
  /** Its first heading. */
  title: string
  /** Its first paragraph, as plain text. */
  summary: string
  tokens: Token[]
  sections: GuideSection[]
}

/** A part of a page, under a heading; the first is the page's beginning and has the page's title. */
export interface GuideSection {
  /** Empty for the page's beginning. */
  id: string
  heading: string
  depth: number
  /** Its text, without code. */
  text: string
}

const marked = new Marked()

export function readPage(name: string, markdown: string): GuidePage {
  const tokens = marked.lexer(markdown)
  const sections = sectionsOf(tokens)
  const [first] = sections
  const paragraph = tokens.find((token) => token.type === 'paragraph')
  return {
    name,
    markdown,
    title: first?.heading ?? name,
    summary: paragraph ? plainText([paragraph]) : '',
    tokens,
    sections,
  }
}

function sectionsOf(tokens: Token[]): GuideSection[] {
  const sections: GuideSection[] = []
  for (const token of tokens) {
    if (isHeading(token)) {
      const heading = plainText(token.tokens)
      sections.push({ id: token.depth === 1 ? '' : slugOf(heading), heading, depth: token.depth, text: '' })
    } else {
      const section = sections.at(-1)
      if (section) section.text = `${section.text} ${plainText([token])}`.trim()
    }
  }
  return sections
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

/** The words of some tokens; blocks of code are left out, code within a sentence is not. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('').replaceAll(/\s+/g, ' ').trim()
}

function wordsOf(token: Token): string {
  if (token.type === 'code' || token.type === 'space' || token.type === 'hr') return ' '
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table // marked names its tokens by their types
    return [header, ...rows]
      .flat()
      .map((cell) => `${plainText(cell.tokens)} `)
      .join('')
  }
  if (token.type === 'list') {
    const { items } = token as Tokens.List // as above
    return items.map((item) => `${plainText(item.tokens)} `).join('')
  }
  if ('tokens' in token && token.tokens) return token.tokens.map(wordsOf).join('')
  return 'text' in token ? unescaped(String(token.text)) : ''
}

/** The lexer escapes what stands in a text. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
