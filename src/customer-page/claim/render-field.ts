import { claimReasons } from '../../claims/claims/schema.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { type FormFields, fieldsByReason } from './reasons.ts'
import type { ClaimTexts } from './texts.ts'

/** The texts that all forms of these pages have: a word for an error. Their problems are text already. */
interface ErrorTexts {
  say(key: 'error'): string
}

interface Problem {
  text: string
}

/** The reasons that a section belongs to, as the CSS reads them: it is shown while one of them is selected. */
export function reasonsWhere(matches: (fields: FormFields) => boolean): string {
  return claimReasons.filter((reason) => matches(fieldsByReason[reason])).join(' ')
}

export interface Section {
  id: string
  /** The reasons that it is shown for; absent: all. */
  shownFor?: string
  legend: Html
  hint?: Html | undefined
  problems: readonly Problem[]
  texts: ErrorTexts
  body: Html
  role?: 'radiogroup'
}

/** A group of fields with its question, hint and problems. */
export function section({ id, shownFor, legend, hint, problems, texts, body, role }: Section): Html {
  const isWrong = problems.length > 0
  const described = [...(hint ? [`${id}-hint`] : []), ...(isWrong ? [`${id}-problem`] : [])].join(' ')
  const wrong = isWrong ? html` aria-invalid="true"` : undefined
  const roles = role === undefined ? undefined : html` role="${role}" aria-labelledby="${id}-legend"${wrong}`
  const shown = shownFor === undefined ? undefined : html` data-for="${shownFor}"`
  const description = described === '' ? undefined : html` aria-describedby="${described}"`
  return html`
    <fieldset class="ask${isWrong ? ' wrong' : ''}"${shown}${roles}${description}>
      <legend id="${id}-legend">${legend}</legend>
      ${hint === undefined ? undefined : html`<div class="hint" id="${id}-hint">${hint}</div>`}
      ${problemText(texts, `${id}-problem`, problems)}
      ${body}
    </fieldset>`
}

export function problemText(texts: ErrorTexts, id: string, problems: readonly Problem[]): Html | undefined {
  if (problems.length === 0) return undefined
  const lines = problems.map(({ text }) => html`<span>${text}</span>`)
  return html`
    <p class="problem" id="${id}">
      <span class="unseen">${texts.say('error')}:</span> ${lines}
    </p>`
}

/** Marks an optional question; for some reasons only, if others require it. */
export function optionalMark(texts: ClaimTexts, shownFor?: string): Html {
  const reasons = shownFor === undefined ? undefined : html` data-for="${shownFor}"`
  return html` <span class="optional"${reasons}>${texts.say('optional')}</span>`
}

export interface Choice {
  name: string
  value: string
  label: string
  hint?: string
  isChosen: boolean
  /** A link to a problem with the group focuses its first input. */
  id?: string
  shownFor?: string | undefined
  isTaken?: string | undefined
}

export function choice({ name, value, label, hint, isChosen, id, shownFor, isTaken }: Choice): Html {
  const shown = shownFor === undefined ? undefined : html` data-for="${shownFor}"`
  const named = id === undefined ? undefined : html` id="${id}"`
  const state = [...(isChosen ? [html` checked`] : []), ...(isTaken === undefined ? [] : [html` disabled`])]
  return html`
    <label class="choice"${shown}>
      <input type="radio" name="${name}" value="${value}"${named}${state}>
      <span>
        <span class="name">${label}</span>
        ${hint ? html`<span class="hint">${hint}</span>` : undefined}
        ${isTaken === undefined ? undefined : html`<span class="taken">${isTaken}</span>`}
      </span>
    </label>`
}
