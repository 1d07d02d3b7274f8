import type { WithdrawalPeriod } from '../../claims/withdrawals/rules.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { linkTo, type Viewer } from '../viewer.ts'
import { dateWords } from './dates.ts'
import { withdrawalTexts } from './texts.ts'

export interface Entry {
  period: Pick<WithdrawalPeriod, 'lastDay'>
  isLate: boolean
}

/** The way in from an order's page: labelled as Article 11a of Directive 2011/83/EU wants it. */
export function renderEntry(viewer: Viewer, shopName: string, root: string, entry: Entry): Html {
  const texts = withdrawalTexts(viewer.language)
  const address = linkTo(viewer, `${root}/withdrawal`)
  return html`
    <section class="card stack" id="withdrawal">
      <h2>${texts.say('entry.heading')}</h2>
      <p class="soft">${periodWords(viewer, shopName, entry)}</p>
      <div>
        <a class="button${entry.isLate ? ' quiet' : ''}" href="${address}">${texts.say('entry.button')}</a>
      </div>
    </section>`
}

/** The same from the look-up page, where the order is not known yet. */
export function renderLookupEntry(viewer: Viewer, slug: string): Html {
  const texts = withdrawalTexts(viewer.language)
  const address = linkTo(viewer, `/track/${slug}/withdrawal`)
  return html`
    <section class="card stack" aria-labelledby="withdrawal">
      <h2 id="withdrawal">${texts.say('entry.heading')}</h2>
      <p class="soft">${texts.say('entry.lookup')}</p>
      <div>
        <a class="button quiet" href="${address}">${texts.say('entry.button')}</a>
      </div>
    </section>`
}

export function periodWords({ language }: Viewer, shop: string, { period: { lastDay }, isLate }: Entry): string {
  const texts = withdrawalTexts(language)
  if (lastDay === null) return texts.say('period.open')
  const date = dateWords(language, lastDay)
  return isLate ? texts.say('period.late', { date, shop }) : texts.say('period.until', { date })
}
