import type { Schemas } from 'doorstep-client'
import { t } from '../../../texts/texts.ts'
import { Checks } from '../../marketing/checks.ts'
import type { Problems } from '../../marketing/use-editor.ts'
import type { Block, Limits, MailTemplate, Variable } from './words.ts'

/** An edited template. An empty text stands for ours. The blocks are all blocks of the message, in their order. */
export interface TemplateDraft {
  subject: string
  preheader: string
  heading: string
  introduction: string
  footer: string
  blocks: readonly { name: Block; isShown: boolean }[]
}

export const textNames = ['subject', 'preheader', 'heading', 'introduction', 'footer'] as const
export type TextName = (typeof textNames)[number]

export function draftOf({ template, ours }: MailTemplate): TemplateDraft {
  const shown = template.blocks ?? ours.blocks
  const hidden = ours.blocks.filter((block) => !shown.includes(block))
  return {
    subject: template.subject ?? '',
    preheader: template.preheader ?? '',
    heading: template.heading ?? '',
    introduction: template.introduction ?? '',
    footer: template.footer ?? '',
    blocks: [...shown.map((name) => ({ name, isShown: true })), ...hidden.map((name) => ({ name, isShown: false }))],
  }
}

export function bodyOf(draft: TemplateDraft, ours: readonly Block[]): Schemas['MailTemplateFields'] {
  const shown = draft.blocks.filter(({ isShown }) => isShown).map(({ name }) => name)
  return {
    subject: textOf(draft.subject),
    preheader: textOf(draft.preheader),
    heading: textOf(draft.heading),
    introduction: textOf(draft.introduction),
    footer: textOf(draft.footer),
    blocks: shown.join() === ours.join() ? null : shown,
  }
}

function textOf(text: string): string | null {
  return text.trim() === '' ? null : text
}

/** The mistakes for which the API would reject the draft, in the reader's language and while it is typed. */
export function checkDraft(draft: TemplateDraft, limits: Limits, variables: readonly Variable[]): Problems {
  const checks = new Checks()
  for (const name of textNames) {
    const text = draft[name]
    if ([...text].length > limits[name]) checks.add(name, t('check.too_long', { max: limits[name] }))
    const problem = problemOfVariables(text, variables)
    if (problem !== undefined) checks.add(name, problem)
  }
  return checks.problems
}

function problemOfVariables(text: string, variables: readonly Variable[]): string | undefined {
  let rest = text
  for (;;) {
    const opening = rest.indexOf('{')
    const closing = rest.indexOf('}')
    if (opening === -1 && closing === -1) return undefined
    if (opening === -1 || (closing !== -1 && closing < opening)) return t('mail.wrong.unopened')
    const name = rest.slice(opening + 1, closing)
    if (closing === -1 || name.includes('{')) return t('mail.wrong.unclosed')
    if (!variables.some((variable) => variable === name)) {
      const guess = nearest(name, variables)
      return guess === undefined
        ? t('mail.wrong.unknown_none', { name: `{${name}}` })
        : t('mail.wrong.unknown', { name: `{${name}}`, guess: `{${guess}}` })
    }
    rest = rest.slice(closing + 1)
  }
}

/** The name that shares most pairs of letters with a misspelt one; undefined if fewer than half are shared. */
function nearest<Name extends string>(written: string, names: readonly Name[]): Name | undefined {
  const pairs = pairsOf(
    written
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  const ranked = names
    .map((name) => ({ name, share: shareOf(pairs, pairsOf(name)) }))
    .toSorted((one, other) => other.share - one.share)
  const [best] = ranked
  return best && best.share >= 0.5 ? best.name : undefined
}

function pairsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2))
}

function shareOf(one: readonly string[], other: readonly string[]): number {
  const shared = one.filter((pair) => other.includes(pair)).length
  return one.length + other.length === 0 ? 0 : (2 * shared) / (one.length + other.length)
}
