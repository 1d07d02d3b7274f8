import type { ReceiptRecord } from '../../claims/withdrawals/order-store.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { dateWords, exactTime } from './dates.ts'
import { renderLines } from './render-confirm.ts'
import { frame, renderFacts } from './render-form.ts'
import type { WithdrawalVisit } from './view.ts'

/** The acknowledgement of receipt, for saving and printing: what was stated, and exactly when it arrived. */
export function renderReceipt(visit: WithdrawalVisit, record: ReceiptRecord, fileAddress: string): Html {
  const { texts, shop, settings, viewer, hasMail } = visit
  const { facts, time, late } = factsOf(visit, record)
  const isMailed = hasMail && record.statement.receipt !== 'none'
  const instructions = settings.instructions[viewer.language] ?? settings.instructions[shop.language]
  return frame(
    visit,
    html`
      <h1>${texts.say('receipt.title')}</h1>
      <p class="lead">${texts.say('receipt.lead', { shop: shop.name, time })}</p>
      <p>${texts.say('receipt.save')}${isMailed ? ` ${texts.say('receipt.mail')}` : ''}</p>`,
    html`
      <section class="card stack receipt" aria-labelledby="receipt">
        <h2 id="receipt">${texts.say('receipt.heading')}</h2>
        ${renderLines((record.statement.text ?? '').split('\n'))}
        ${renderFacts(facts)}
        ${late === undefined ? undefined : html`<p class="notice">${late}</p>`}
        <p class="save">
          <a class="button quiet" href="${fileAddress}" download>${texts.say('receipt.download')}</a>
        </p>
      </section>
      <section class="stack" aria-labelledby="next">
        <h2 id="next">${texts.say('receipt.next')}</h2>
        <p>${texts.say('receipt.next.return', { shop: shop.name })}</p>
        ${instructions ? renderInstructions(visit, instructions) : undefined}
      </section>`,
  )
}

function renderInstructions({ texts, shop }: WithdrawalVisit, instructions: string): Html {
  return html`
    <figure class="card stack">
      <figcaption class="name">${texts.say('receipt.next.instructions', { shop: shop.name })}</figcaption>
      <blockquote>${instructions}</blockquote>
    </figure>`
}

/** The same as plain text. */
export function receiptText(visit: WithdrawalVisit, record: ReceiptRecord): string {
  const { texts } = visit
  const { facts, late } = factsOf(visit, record)
  const lines = [
    texts.say('receipt.heading'),
    '',
    record.statement.text ?? '',
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
    record.created_at.toISOString(),
    ...(late === undefined ? [] : ['', late]),
  ]
  return `${lines.join('\n')}\n`
}

function factsOf(
  { texts, viewer, shop, order }: WithdrawalVisit,
  { statement, created_at, is_late, id }: ReceiptRecord,
) {
  const { language } = viewer
  const { last_day, time_zone } = statement
  const time = exactTime(language, created_at, time_zone)
  const lastDay = last_day === null ? texts.say('statement.last_day.open') : dateWords(language, last_day)
  const facts: [name: string, value: string][] = [
    [texts.say('receipt.received'), time],
    [texts.say('statement.name'), statement.name ?? ''],
    [texts.say('statement.email'), statement.email ?? ''],
    [texts.say('statement.order'), `${order.order_name || order.order_number} · ${shop.name}`],
    [texts.say('statement.last_day'), lastDay],
    [texts.say('receipt.number'), id],
  ]
  return { facts, time, late: is_late ? texts.say('receipt.late', { date: lastDay, shop: shop.name }) : undefined }
}
