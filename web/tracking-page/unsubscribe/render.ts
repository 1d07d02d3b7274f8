import { type Html, html } from '../../../src/foundation/html.ts'
import type { Texts } from '../../../src/foundation/texts.ts'
import type { UnsubscribeTextKey } from './texts.ts'

export interface UnsubscribeState {
  wantsPromotion: boolean
  /** The address, masked: somebody who sees the page over a shoulder learns no more. */
  masked: string
  /** They have just changed their mind. */
  isUndone: boolean
}

/** One question with one button, or the result with one to undo it. */
export function renderUnsubscribe(
  texts: Texts<UnsubscribeTextKey>,
  shop: string,
  action: string,
  { wantsPromotion, masked, isUndone }: UnsubscribeState,
): Html {
  const about = html`<p class="hint">${texts.say('address', { address: masked })}</p>`
  if (!wantsPromotion) {
    return html`<div class="narrow"><div class="stack" role="status"><h1>${texts.say('done.title')}</h1><p class="lead">${texts.say('done.lead', { shop })}</p></div>${form(action, 'undo', texts.say('undo'), 'quiet', about)}</div>`
  }
  const notice = isUndone ? html`<p class="notice" role="status">${texts.say('undone')}</p>` : undefined
  return html`<div class="narrow">${notice}<div class="stack"><h1>${texts.say('title')}</h1><p class="lead">${texts.say('lead', { shop })}</p></div>${form(action, 'stop', texts.say('submit'), '', about)}</div>`
}

function form(action: string, choice: string, label: string, kind: string, about: Html): Html {
  return html`<form class="card stack" method="post" action="${action}">${about}<input type="hidden" name="choice" value="${choice}"><div><button class="button ${kind}" type="submit">${label}</button></div></form>`
}
