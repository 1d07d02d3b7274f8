import { describe, expect, it } from 'vitest'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { makeShop } from '../harness/shop.ts'

describe('preview of an order’s page', () => {
  it('shows the page of the order to the shop, framed by our own pages, without counting a visit', async () => {
    const shop = await makeShop({ name: 'River & Pine', language: 'en' })
    const number = uniqueNumber('V')
    const order = await createOrder(shop.as('editor'), {}, [{ tracking_number: number }])
    const { status, headers, text } = await shop.as('viewer').get(`/orders/${order.uuid}/page-preview`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'self'")
    expect(text).toContain(number)
    expect(text).toContain('<body inert>')
    expect(text).not.toContain('<script')
    const { entries } = (await shop.as('viewer').get(`/orders/${order.uuid}/timeline`)).body
    expect(entries.filter(({ kind }: { kind: string }) => kind === 'page_view')).toEqual([])
  })

  it('of an order that is not of this shop does not exist', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const order = await createOrder(other.as('editor'))
    const reply = await shop.as('viewer').get(`/orders/${order.uuid}/page-preview`)
    expect([reply.status, reply.body.key]).toEqual([404, 'order_not_found'])
  })
})
