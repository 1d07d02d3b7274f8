import { type Html, html } from '../../platform/foundation/html.ts'
import { linkTo } from '../viewer.ts'
import { periodWords } from './entry.ts'
import { frame, renderFacts } from './render-form.ts'
import { statementLines } from './statement.ts'
import type { CheckedStatement, WithdrawalVisit } from './view.ts'

/** The second step: what will be sent, and the button that sends it. Nothing has been stored so far. */
export function renderConfirmation(visit: WithdrawalVisit, statement: CheckedStatement, signed: string): Html {
  const { viewer, texts, shop, formAddress } = visit
  return frame(
    visit,
    html`
      <p class="step">${texts.say('step', { step: 2 })}</p>
      <h1>${texts.say('title.confirm')}</h1>
      <p class="lead">${texts.say('confirm.lead', { shop: shop.name })}</p>`,
    html`
      <section class="card stack" aria-labelledby="statement">
        <h2 id="statement">${texts.say('statement.heading')}</h2>
        ${renderLines(statementLines(visit, statement.items))}
        ${renderFacts([
          [texts.say('statement.name'), statement.name],
          [texts.say('statement.email'), statement.email],
        ])}
        <p class="small soft">${periodWords(viewer, shop.name, visit)}</p>
      </section>
      <form class="confirm" method="post" action="${linkTo(viewer, formAddress)}">
        <input type="hidden" name="statement" value="${signed}">
        <button class="button" name="step" value="confirm">${texts.say('confirm.button')}</button>
        <button class="button quiet" name="step" value="change">${texts.say('confirm.change')}</button>
      </form>`,
  )
}

/** The first line is the statement, the others are what it is about. */
export function renderLines([first = '', ...others]: readonly string[]): Html {
  const list =
    others.length === 0 ? undefined : html`<ul class="about">${others.map((line) => html`<li>${line}</li>`)}</ul>`
  return html`
    <p class="statement">${first}</p>
    ${list}`
}
