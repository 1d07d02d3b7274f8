import type { FormItem } from '../../claims/claims/form-items.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { webAddress } from '../addresses.ts'
import { problemText, reasonsWhere, section } from './render-field.ts'
import { type ClaimFormView, problemsAt } from './view.ts'

/** Up to this quantity the number is selected; above, it is typed. */
const maxListedQuantity = 20

/** More items than are useful in a list; also bounds the size of the form. */
const maxItems = 300

/** The choice of items, and of how many of each. */
export function itemsSection(view: ClaimFormView): Html {
  const { texts, items } = view
  return section({
    id: 'items',
    shownFor: reasonsWhere((fields) => fields.items === 'chosen'),
    legend: html`${texts.say('items.heading')}`,
    hint: html`${texts.say(items.length === 0 ? 'items.unknown' : 'items.hint')}`,
    problems: problemsAt(view, 'items'),
    texts,
    body: html`
      <ul class="items">
        ${items.slice(0, maxItems).map((item, index) => itemRow(view, item, index))}
      </ul>`,
  })
}

function itemRow(view: ClaimFormView, item: FormItem, index: number): Html {
  const { texts } = view
  const problems = problemsAt(view, `item-${item.key}`)
  const title = item.title === '' ? texts.say('items.untitled', { number: index + 1 }) : item.title
  const field = item.quantity === 1 ? checkbox : quantityField
  return html`
    <li class="item">
      ${itemPicture(item.imageUrl, title)}
      ${field(view, item, title, problems.length > 0)}
      ${problemText(texts, `item-${item.key}-problem`, problems)}
    </li>`
}

/** Its title is next to it, so the picture is decorative; without one, the title's first letter stands in its place. */
export function itemPicture(address: string | null | undefined, title: string): Html {
  const picture = webAddress(address)
  return picture === undefined
    ? html`<span class="picture" aria-hidden="true">${title.charAt(0).toUpperCase()}</span>`
    : html`<img class="picture" src="${picture}" alt="" loading="lazy" width="56" height="56">`
}

/** For a quantity of one there is only one or none. */
function checkbox(view: ClaimFormView, item: FormItem, title: string, isWrong: boolean): Html {
  const isChosen = view.values.quantities.get(item.key) === '1'
  const id = `item-${item.key}`
  return html`
    <label for="${id}">${name(item, title)}</label>
    <input
      type="checkbox"
      id="${id}"
      name="${id}"
      value="1"${isChosen ? html` checked` : undefined}${invalid(item, isWrong)}>`
}

function quantityField(view: ClaimFormView, item: FormItem, title: string, isWrong: boolean): Html {
  const { texts, values } = view
  const id = `item-${item.key}`
  const given = values.quantities.get(item.key) ?? ''
  const label = html`
    <label for="${id}">
      <span class="unseen">${texts.say('items.quantity', { item: title })}</span>
      <span aria-hidden="true">${name(item, title)}</span>
    </label>`
  if (item.quantity > maxListedQuantity) {
    return html`
      ${label}
      <span class="typed">
        <input
          type="number"
          inputmode="numeric"
          id="${id}"
          name="${id}"
          min="0"
          max="${item.quantity}"
          value="${given}"
          placeholder="0"${invalid(item, isWrong)}>
        <span class="hint">${texts.say('items.quantity.sent', { sent: item.quantity })}</span>
      </span>`
  }
  const options = Array.from({ length: item.quantity }, (_, n) => n + 1).map((count) => {
    const selected = String(count) === given ? html` selected` : undefined
    const words = texts.say('items.quantity.of', { count, sent: item.quantity })
    return html`<option value="${count}"${selected}>${words}</option>`
  })
  return html`
    ${label}
    <select id="${id}" name="${id}"${invalid(item, isWrong)}>
      <option value="0">${texts.say('items.quantity.none')}</option>
      ${options}
    </select>`
}

function name(item: FormItem, title: string): Html {
  return html`
    <span class="name">${title}</span>
    ${item.variant === '' ? undefined : html`<span class="hint">${item.variant}</span>`}`
}

function invalid(item: FormItem, isWrong: boolean): Html | undefined {
  return isWrong ? html` aria-invalid="true" aria-describedby="item-${item.key}-problem"` : undefined
}
