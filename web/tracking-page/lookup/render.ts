import { type Html, html } from '../../../src/foundation/html.ts'
import type { Viewer } from '../viewer.ts'

/** The entered values and their problems. */
export interface LookupState {
  number: string
  proof: string
  isIncomplete?: boolean
  isUnknown?: boolean
  waitMinutes?: number
  /** Whether the e-mail address would be accepted at once. */
  takesEmail?: boolean
}

/** What differs by what the order is looked up for. */
export interface LookupTexts {
  title: string
  lead: string
  submit: string
}

export function renderLookup(
  { texts, lookup }: Viewer & { lookup: LookupTexts },
  action: string,
  state: LookupState,
  further?: Html,
): Html {
  const missing = {
    number: state.isIncomplete && state.number === '' ? texts.say('lookup.missing_number') : undefined,
    proof: state.isIncomplete && state.proof === '' ? texts.say('lookup.missing_proof') : undefined,
  }
  return html`<div class="narrow"><div class="stack"><h1>${lookup.title}</h1><p class="lead">${lookup.lead}</p></div>${renderProblem({ texts }, state)}<form class="card stack" method="post" action="${action}" novalidate>${field(
    { name: 'number', label: texts.say('lookup.number'), hint: texts.say('lookup.number_hint') },
    state.number,
    missing.number,
  )}${field(
    { name: 'proof', label: texts.say('lookup.proof'), hint: texts.say('lookup.proof_hint') },
    state.proof,
    missing.proof,
  )}<div><button class="button" type="submit">${lookup.submit}</button></div></form>${further}</div>`
}

function renderProblem(
  { texts }: Pick<Viewer, 'texts'>,
  { isIncomplete, isUnknown, waitMinutes, takesEmail }: LookupState,
): Html | undefined {
  const text = waitMinutes
    ? `${texts.count('lookup.wait', waitMinutes)}${takesEmail ? ` ${texts.say('lookup.wait_zip')}` : ''}`
    : isUnknown
      ? texts.say('lookup.not_found')
      : isIncomplete
        ? texts.say('lookup.problem')
        : undefined
  return text === undefined ? undefined : html`<p class="notice wrong" role="alert">${text}</p>`
}

function field(
  { name, label, hint }: { name: string; label: string; hint: string },
  value: string,
  problem: string | undefined,
): Html {
  const shown = problem === undefined ? undefined : html`<p class="problem" id="${name}-problem">${problem}</p>`
  const invalid = problem === undefined ? undefined : html` aria-invalid="true"`
  return html`<div class="field"><label for="${name}">${label}</label><p class="hint" id="${name}-hint">${hint}</p><input id="${name}" name="${name}" value="${value}" maxlength="320" required autocapitalize="off" autocomplete="off" spellcheck="false" aria-describedby="${name}-hint${problem === undefined ? '' : ` ${name}-problem`}"${invalid}>${shown}</div>`
}
