import { expect } from 'vitest'
import type { MailServer } from './mail-server.ts'
import { accountAt } from './mail-shop.ts'
import { uniqueNumber, upsertOf } from './orders.ts'
import { until } from './patience.ts'
import { callApi, makeShop, operator, type RunningProcess } from './process.ts'

const slug = 'mailing'
const clients = 2
/** The most that a queue has in flight, with what has ended and is being recorded. */
const mostInFlight = 32

/** A stream of orders, each of a customer of its own, whose shop confirms them by e-mail. */
export interface OrderMails {
  /** Stops placing orders, after the requests in flight. */
  stop(): Promise<void>
  /** Waits until all customers were mailed, and checks that only what was in flight at a kill was repeated. */
  expectAllArrived(arrivedBeforeKill: number[]): Promise<void>
}

/** Makes a shop that sends its mail to this server. */
export async function makeMailingShop(service: RunningProcess, server: MailServer): Promise<void> {
  await makeShop(service, operator, slug)
  const set = async (method: string, path: string, body: unknown) =>
    expect(await callApi(service, operator, `${method} /v1/shops/${slug}${path}`, { body })).toMatchObject({
      status: 200,
    })
  await set('PUT', '/keys/smtp', accountAt(server))
  await set('PATCH', '/settings/mail', { quiet_hours: { enabled: false } })
  await set('PATCH', '/settings/triggers/smtp', { status: true })
}

/** Places orders in the shop of `makeMailingShop` until it is stopped. */
export function streamOrderMails(service: () => Promise<RunningProcess>, server: MailServer): OrderMails {
  const accepted = new Set<string>()
  let isStopped = false
  const place = async (): Promise<void> => {
    while (!isStopped) {
      const number = uniqueNumber('K')
      const email_id = `customer-${number}@example.com`
      const order = upsertOf(number, { order_placed_at: undefined, email_id }, [{ tracking_number: number }])
      const path = `/v1/shops/${slug}/orders`
      const status = await callApi(await service(), operator, `PUT ${path}`, { body: order }).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 200) accepted.add(email_id)
      else await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const placing = Promise.all(Array.from({ length: clients }, place))
  return {
    async stop() {
      isStopped = true
      await placing
    },
    async expectAllArrived(arrivedBeforeKill) {
      const missing = () => {
        const arrived = new Set(server.mails.map(({ envelope }) => envelope.to[0]))
        return [...accepted].filter((address) => !arrived.has(address))
      }
      await until(() => (missing().length === 0 ? true : undefined)).catch(() => {})
      expect(missing(), 'accepted, and never mailed').toEqual([])
      const repeated = expectRepeatsWereInFlight(server, arrivedBeforeKill)
      console.log(`${accepted.size} orders accepted, ${server.mails.length} messages, ${repeated} repeated`)
    },
  }
}

/** Returns how many messages were repeated. */
function expectRepeatsWereInFlight(server: MailServer, arrivedBeforeKill: number[]): number {
  const copies = new Map<string, number[]>()
  for (const [index, { envelope }] of server.mails.entries()) {
    const address = envelope.to[0] ?? ''
    copies.set(address, [...(copies.get(address) ?? []), index])
  }
  const repeated = [...copies.values()].filter((indexes) => indexes.length > 1)
  for (const [first = 0, ...others] of repeated) {
    for (const other of others) expect(server.mails[other]?.messageId).toBe(server.mails[first]?.messageId)
    const wasInFlight = arrivedBeforeKill.some((count) => first <= count && first >= count - mostInFlight)
    expect(wasInFlight, `message ${first} was repeated; killed after ${arrivedBeforeKill.join(', ')}`).toBe(true)
  }
  return repeated.length
}
