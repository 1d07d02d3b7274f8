import { type ChosenItem, everything, type WithdrawableItem } from '../../claims/withdrawals/items.ts'
import type { WithdrawalTexts } from './texts.ts'
import {
  maxEmailLength,
  maxNameLength,
  type WithdrawalField,
  type WithdrawalProblem,
  type WithdrawalValues,
  type WithdrawalVisit,
} from './view.ts'

export function readValues(form: URLSearchParams, items: readonly WithdrawableItem[]): WithdrawalValues {
  const scope = form.get('scope')
  return {
    name: lineOf(form, 'name'),
    email: lineOf(form, 'email'),
    scope: scope === 'all' || scope === 'some' ? scope : undefined,
    quantities: new Map(items.map(({ key }) => [key, lineOf(form, `item-${key}`)])),
  }
}

/** One line without control characters: it becomes part of a message. */
function lineOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 1_000)
}

export interface CheckedForm {
  problems: WithdrawalProblem[]
  items: ChosenItem[]
}

export function checkForm({ texts, items }: WithdrawalVisit, values: WithdrawalValues): CheckedForm {
  const problems: WithdrawalProblem[] = []
  const add = (field: WithdrawalField, text: string) => problems.push({ field, text })
  if (values.name === '') add('name', texts.say('error.name'))
  else if (values.name.length > maxNameLength) add('name', texts.say('error.name_long', { count: maxNameLength }))
  if (!isEmail(values.email)) add('email', texts.say('error.email'))
  // An order that does not say what it is about can only be withdrawn from as a whole.
  if (items.length === 0) return { problems, items: [] }
  if (values.scope === undefined) add('scope', texts.say('error.scope'))
  if (values.scope !== 'some') return { problems, items: everything(items) }
  const chosen = chooseItems(texts, items, values, add)
  return { problems, items: chosen }
}

function chooseItems(
  texts: WithdrawalTexts,
  items: readonly WithdrawableItem[],
  { quantities }: WithdrawalValues,
  add: (field: WithdrawalField, text: string) => void,
): ChosenItem[] {
  const chosen: ChosenItem[] = []
  let isWrong = false
  for (const { key, title, remaining } of items) {
    const given = quantities.get(key) ?? ''
    if (given === '' || remaining === 0) continue
    const quantity = /^\d{1,9}$/.test(given) ? Number(given) : undefined
    if (quantity !== undefined && quantity <= remaining) {
      if (quantity > 0) chosen.push({ key, quantity })
      continue
    }
    isWrong = true
    const words = { item: title }
    add(
      `item-${key}`,
      quantity === undefined ? texts.say('error.item_number', words) : texts.count('error.item', remaining, words),
    )
  }
  if (chosen.length === 0 && !isWrong) add('items', texts.say('error.items'))
  return chosen
}

/** As a mail server takes it; whether it exists shows when the receipt is sent. */
function isEmail(text: string): boolean {
  if (text.length > maxEmailLength) return false
  const [local = '', domain = '', ...others] = text.split('@')
  if (others.length > 0 || local === '' || /[\s,;:<>()[\]"\\]/.test(text)) return false
  return /^[^.]/.test(domain) && /[^.]$/.test(domain) && domain.includes('.') && !domain.includes('..')
}
