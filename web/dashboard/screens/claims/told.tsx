import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Card, Facts } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'
import type { Claim } from './query.ts'

/** The customer's answers in the form. */
export function Answers({ claim }: { claim: Claim }) {
  const steps = claim.step_user_input ?? []
  if (steps.length === 0 && claim.dropoff_permission === null) return null
  const facts = steps.map(
    ({ step_id, user_input }) =>
      [user_input.translated_question || step_id, user_input.translated_answer || user_input.input_value] as const,
  )
  const permission = claim.dropoff_permission === null ? null : t(claim.dropoff_permission ? 'claims.yes' : 'claims.no')
  return (
    <Card title={t('claims.answers')}>
      <Facts facts={[...facts, [t('claims.dropoff_permission'), permission]]} />
    </Card>
  )
}

/** The items that the claim is about, with their value. */
export function Items({ claim }: { claim: Claim }) {
  const items = claim.selected_items.length > 0 ? claim.selected_items : claim.damaged_product_items
  const value = claim.net_invoice_amount
  if (items.length === 0) return null
  const money = (amount: number) =>
    claim.currency === null ? formatNumber(amount, 2) : formatMoney(amount, claim.currency)
  return (
    <Card
      title={t('claims.items')}
      aside={value !== null && <span className="soft number">{t('claims.value', { value: money(value) })}</span>}
    >
      <ul className="goods">
        {items.map((item, index) => (
          <li key={index}>
            <span>
              {t('orders.pieces', { pieces: formatNumber(item.quantity) })} {item.title ?? item.sku ?? '–'}
              {item.title && item.sku && <span className="soft"> · {item.sku}</span>}
            </span>
            <Amount of={item} money={money} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The amount for which the item's pieces were sold; if unknown, their price times their number. */
function Amount({ of, money }: { of: Claim['selected_items'][number]; money: (amount: number) => string }) {
  const amount = of.line_total ?? (of.net_price === null ? null : of.net_price * of.quantity)
  return amount === null ? null : <span className="number soft">{money(amount)}</span>
}
