import { fieldsOf } from './page-form.ts'
import { type SentOrder, sendOrder, submit, visit } from './pages.ts'
import { clock, type Reply } from './service.ts'
import type { TestShop } from './shop.ts'

/** Switches the withdrawal function on. */
export async function enableWithdrawals(shop: TestShop, settings: Record<string, unknown> = {}): Promise<void> {
  const { status, text } = await shop
    .as('admin')
    .patch('/settings/withdrawal', { enabled: true, country: 'DE', ...settings })
  if (status !== 200) throw new Error(text)
}

/** An order whose parcels have reached the customer at these times. */
export async function sendDelivered(
  shop: TestShop,
  deliveredAt: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<SentOrder> {
  const sent = await sendOrder(
    shop,
    fields,
    deliveredAt.map(() => ({})),
  )
  for (const [index, time] of deliveredAt.entries()) {
    await scan(shop, sent.trackingNumbers[index] ?? '', 'SUCCESSFULLY_DELIVERED', time)
  }
  return sent
}

export async function scan(shop: TestShop, trackingNumber: string, event: string, time: string): Promise<void> {
  const scanned = { id: trackingNumber, event_name: event, event_time: time }
  const { status, text } = await shop.as('editor').post('/shipment-events', scanned)
  if (status !== 200) throw new Error(text)
}

/** Moves the clock to a time; it runs on from there. */
export function moveTo(time: string): void {
  clock.advance(Date.parse(time) - clock.now().getTime())
}

export const person = { name: 'Ada Example', email: 'ada@example.com' }

/** The fields of a page's form with these values instead, as a browser sends them. */
export function filled(page: string, changes: Record<string, string>): Record<string, string> {
  const fields = fieldsOf(page).map(({ name, content }): [string, string] => [name, String(content)])
  return { ...Object.fromEntries(fields), ...changes }
}

/** Fills the first step in, which leads to the second. */
export async function state(path: string, changes: Record<string, string> = {}): Promise<Reply> {
  const form = await visit(`${path}/withdrawal`)
  return submit(`${path}/withdrawal`, filled(form.text, { ...person, ...changes }))
}

/** Confirms what the second step shows, which leads to the receipt. */
export function confirm(path: string, confirmation: Reply): Promise<Reply> {
  return submit(`${path}/withdrawal`, filled(confirmation.text, { step: 'confirm' }))
}

export async function withdraw(path: string, changes: Record<string, string> = {}): Promise<Reply> {
  return confirm(path, await state(path, changes))
}
