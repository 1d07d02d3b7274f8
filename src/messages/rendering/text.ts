import type { MailView } from '../customer-mail/view.ts'
import type { GroupWords } from './group-words.ts'
import type { Part, Row, Section } from './parts.ts'
import { footerLines, orderLine } from './surroundings.ts'
import type { MailTexts } from './texts.ts'

export interface TextLayout {
  view: MailView
  texts: MailTexts
  words: GroupWords
  sections: readonly Section[]
}

/** The plain-text part: the same as the HTML, for readers and programs that want no HTML. */
export function renderText({ view, texts, words, sections }: TextLayout): string {
  const footer = footerLines(view, texts).map(({ text, link }) =>
    [link && `${link.label} ${link.url}`, text].filter(Boolean).join('\n'),
  )
  const blocks = [
    `${view.shop.name} · ${orderLine(view, texts)}`,
    underlined(words.heading, '='),
    words.introduction,
    ...sections.flatMap(({ parts }) => parts.map(partText)),
    '--------',
    ...footer,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'heading':
      return underlined(part.text, '-')
    case 'paragraph':
      return part.text
    case 'status': {
      const steps = part.steps.map((step, index) => (index === part.at ? `[${step}]` : step)).join(' > ')
      return [part.status, steps, part.progress].filter((line) => line !== '').join('\n')
    }
    case 'facts':
      return part.facts
        .map(({ label, value, url }) => {
          const shown = value.includes('\n') ? `\n${indented(value)}` : ` ${value}`
          return `${label}:${shown}${url === undefined ? '' : `\n${indented(url)}`}`
        })
        .join('\n')
    case 'rows':
      return part.rows.map(rowText).join('\n')
    case 'picture':
      return ''
    case 'code':
      return `${part.label}: ${part.code}`
    case 'quote':
      return part.text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    case 'button':
      return `${part.label}:\n${part.url}`
    case 'links':
      return part.links
        .map(({ label, url }) => (url.startsWith('mailto:') || url.startsWith('tel:') ? label : `${label}: ${url}`))
        .join('\n')
  }
}

function rowText({ title, details, amount, url }: Row): string {
  const said = [title, details, amount].filter(Boolean).join(' · ')
  return `- ${said}${url === undefined ? '' : `\n${indented(url)}`}`
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}

function underlined(text: string, line: string): string {
  return `${text}\n${line.repeat(Math.min(text.length, 60))}`
}
