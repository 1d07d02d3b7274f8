import type { WithdrawableItem } from '../../claims/withdrawals/items.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { typedAddress } from '../../platform/foundation/web-address.ts'
import { choice, problemText, section } from '../claim/render-field.ts'
import { itemPicture } from '../claim/render-items.ts'
import { linkTo } from '../viewer.ts'
import { dayWords } from './dates.ts'
import { periodWords } from './entry.ts'
import { nameOf } from './statement.ts'
import {
  maxEmailLength,
  maxNameLength,
  problemsAt,
  type WithdrawalField,
  type WithdrawalFormView,
  type WithdrawalVisit,
} from './view.ts'

/** The first step: the statement. */
export function renderForm(view: WithdrawalFormView): Html {
  const { viewer, texts, shop, order, formAddress, obstacle } = view
  const number = order.order_name || order.order_number
  if (obstacle !== undefined)
    return frame(view, html`<h1>${texts.say('title')}</h1>`, html`${nothing(view, obstacle)}${earlier(view)}`)
  const name = { autocomplete: 'name', maxLength: maxNameLength, hint: texts.say('name.hint') }
  const emailHint = texts.say(view.hasMail ? 'email.hint' : 'email.hint.no_mail')
  const email = { autocomplete: 'email', maxLength: maxEmailLength, hint: emailHint }
  return frame(
    view,
    html`
      <p class="step">${texts.say('step', { step: 1 })}</p>
      <h1>${texts.say('title')}</h1>
      <p class="lead">${texts.say('lead', { shop: shop.name, order: number })}</p>
      <p>${periodWords(viewer, shop.name, view)}</p>`,
    html`
      ${errorSummary(view)}
      ${earlier(view)}
      <form class="claim" method="post" action="${linkTo(viewer, formAddress)}" novalidate>
        <input type="hidden" name="step" value="check">
        <div class="ask who">
          ${field(view, 'name', name)}
          ${field(view, 'email', email)}
          ${renderFacts([[texts.say('order.label'), number]])}
        </div>
        ${view.items.length === 0 ? undefined : scopeSection(view)}
        ${view.items.length === 0 ? undefined : itemsSection(view)}
        <div class="send">
          ${problemText(texts, 'send-problem', problemsAt(view, 'send'))}
          <button class="button" id="send">${texts.say('continue')}</button>
          <p class="small soft">${texts.say('continue.hint')}</p>
        </div>
      </form>`,
  )
}

/** The frame of all these pages around their main part. */
export function frame({ viewer, texts, orderAddress }: WithdrawalVisit, intro: Html, body: Html): Html {
  return html`
    <div class="claim-page withdrawal">
      <p>
        <a class="back" href="${linkTo(viewer, orderAddress)}">
          <span aria-hidden="true">←</span> ${texts.say('back')}
        </a>
      </p>
      <div class="stack intro">${intro}</div>
      ${body}
    </div>`
}

export function renderFacts(facts: readonly (readonly [name: string, value: string])[]): Html {
  const rows = facts.map(
    ([name, value]) => html`
      <div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
  )
  return html`<dl class="facts">${rows}</dl>`
}

function nothing({ texts, shop }: WithdrawalVisit, why: 'withdrawn' | 'exempt'): Html {
  const mail = shop.contact_email ? `mailto:${encodeURIComponent(shop.contact_email)}` : undefined
  const service = typedAddress(shop.shop_service_url) ?? mail
  const words = { shop: shop.name }
  const contact = texts.say('nothing.contact', words)
  return html`
    <div class="card stack">
      <h2>${texts.say(`nothing.${why}.heading`)}</h2>
      <p>${texts.say(`nothing.${why}.text`, words)}</p>
      ${service === undefined ? undefined : html`<p><a class="button quiet" href="${service}">${contact}</a></p>`}
    </div>`
}

/** Earlier statements: when, and how they stand. Who made them is not shown. */
function earlier(visit: WithdrawalVisit): Html | undefined {
  const { viewer, texts, order, period } = visit
  if (order.withdrawals.length === 0) return undefined
  const statements = order.withdrawals.map(({ created_at, status, items }) => {
    const date = dayWords(viewer.language, new Date(created_at), period.timeZone)
    const lines = items.map(({ key, quantity }) =>
      texts.say('statement.item', { count: quantity, item: nameByKey(visit, key) }),
    )
    return html`
      <li class="card stack-tight">
        <p class="name">${texts.say(`state.${status}`)}</p>
        ${lines.map((line) => html`<p>${line}</p>`)}
        <p class="small soft">${texts.say('earlier.sent', { date })}</p>
      </li>`
  })
  return html`
    <section class="open" aria-labelledby="earlier">
      <h2 id="earlier">${texts.say('earlier.heading')}</h2>
      <ul class="choices">${statements}</ul>
    </section>`
}

function nameByKey(visit: WithdrawalVisit, key: string): string {
  const index = visit.items.findIndex((item) => item.key === key)
  return nameOf(visit, visit.items[index], index)
}

interface FieldOptions {
  autocomplete: string
  maxLength: number
  hint: string
}

/** Never filled from the store: the page's address does not prove who reads it. */
function field(
  view: WithdrawalFormView,
  name: 'name' | 'email',
  { autocomplete, maxLength, hint }: FieldOptions,
): Html {
  const { texts, values } = view
  const problems = problemsAt(view, name)
  const isWrong = problems.length > 0
  return html`
    <div class="field">
      <label for="${name}">${texts.say(`${name}.label`)}</label>
      <p class="hint" id="${name}-hint">${hint}</p>
      <input
        id="${name}"
        name="${name}"
        type="${name === 'email' ? 'email' : 'text'}"
        value="${values[name]}"
        maxlength="${maxLength}"
        required
        autocomplete="${autocomplete}"
        aria-describedby="${name}-hint${isWrong ? ` ${name}-problem` : ''}"${isWrong ? html` aria-invalid="true"` : undefined}>
      ${problemText(texts, `${name}-problem`, problems)}
    </div>`
}

function scopeSection(view: WithdrawalFormView): Html {
  const { texts, values, items } = view
  const isAll = items.every(({ remaining, quantity }) => remaining === quantity)
  const choices = (['all', 'some'] as const).map((value) =>
    choice({
      name: 'scope',
      value,
      label: texts.say(value === 'some' ? 'scope.some' : isAll ? 'scope.all' : 'scope.rest'),
      isChosen: values.scope === value,
      ...(value === 'all' ? { id: 'scope' } : {}),
    }),
  )
  return section({
    id: 'scope',
    legend: html`${texts.say('scope.heading')}`,
    problems: problemsAt(view, 'scope'),
    texts,
    role: 'radiogroup',
    body: html`<div class="choices cards">${choices}</div>`,
  })
}

/** Up to this quantity the number is selected; above, it is typed. */
const maxListedQuantity = 20
/** More items than are useful in a list; also bounds the size of the form. */
const maxItems = 300

function itemsSection(view: WithdrawalFormView): Html {
  const { texts, items } = view
  const rows = items.slice(0, maxItems).map((item, index) => itemRow(view, item, index))
  const question = section({
    id: 'items',
    legend: html`${texts.say('items.heading')}`,
    hint: html`${texts.say('items.hint')}`,
    problems: problemsAt(view, 'items'),
    texts,
    body: html`<ul class="items">${rows}</ul>`,
  })
  return html`<div class="some">${question}</div>`
}

function itemRow(view: WithdrawalFormView, item: WithdrawableItem, index: number): Html {
  const { texts, shop } = view
  const problems = problemsAt(view, `item-${item.key}`)
  const title = item.title || texts.say('items.untitled', { number: index + 1 })
  const why = item.isExempt ? texts.say('items.exempt', { shop: shop.name }) : texts.say('items.withdrawn')
  const closed = html`
    <div class="closed">
      ${words(item, title)}
      <span class="hint">${why}</span>
    </div>`
  return html`
    <li class="item">
      ${itemPicture(item.imageUrl, title)}
      ${item.remaining === 0 ? closed : quantity(view, item, title, problems.length > 0)}
      ${problemText(texts, `item-${item.key}-problem`, problems)}
    </li>`
}

function quantity(
  { texts, values }: WithdrawalFormView,
  item: WithdrawableItem,
  title: string,
  isWrong: boolean,
): Html {
  const id = `item-${item.key}`
  const given = values.quantities.get(item.key) ?? ''
  const sent = item.remaining
  const invalid = isWrong ? html` aria-invalid="true" aria-describedby="${id}-problem"` : undefined
  if (sent === 1) {
    return html`
      <label for="${id}">${words(item, title)}</label>
      <input
        type="checkbox"
        id="${id}"
        name="${id}"
        value="1"${given === '1' ? html` checked` : undefined}${invalid}>`
  }
  const label = html`
    <label for="${id}">
      <span class="unseen">${texts.say('items.quantity', { item: title })}</span>
      <span aria-hidden="true">${words(item, title)}</span>
    </label>`
  if (sent > maxListedQuantity) {
    return html`
      ${label}
      <span class="typed">
        <input
          type="number"
          inputmode="numeric"
          id="${id}"
          name="${id}"
          min="0"
          max="${sent}"
          value="${given}"
          placeholder="0"${invalid}>
        <span class="hint">${texts.say('items.quantity.sent', { sent })}</span>
      </span>`
  }
  const options = Array.from({ length: sent }, (_, n) => n + 1).map((count) => {
    const selected = String(count) === given ? html` selected` : undefined
    return html`<option value="${count}"${selected}>${texts.say('items.quantity.of', { count, sent })}</option>`
  })
  return html`
    ${label}
    <select id="${id}" name="${id}"${invalid}>
      <option value="0">${texts.say('items.quantity.none')}</option>
      ${options}
    </select>`
}

function words({ variant }: WithdrawableItem, title: string): Html {
  return html`
    <span class="name">${title}</span>
    ${variant === '' ? undefined : html`<span class="hint">${variant}</span>`}`
}

function errorSummary({ texts, problems, items }: WithdrawalFormView): Html | undefined {
  if (problems.length === 0) return undefined
  const links = problems.map(({ field, text }) => html`<li><a href="#${targetOf(field, items)}">${text}</a></li>`)
  return html`
    <div class="errors" id="errors" role="alert" tabindex="-1" autofocus>
      <h2>${texts.count('errors.heading', problems.length)}</h2>
      <ul>${links}</ul>
    </div>`
}

/** The input that a problem links to; for the items as a whole, the first. */
function targetOf(field: WithdrawalField, items: readonly WithdrawableItem[]): string {
  if (field !== 'items') return field
  return `item-${items.find(({ remaining }) => remaining > 0)?.key}`
}
