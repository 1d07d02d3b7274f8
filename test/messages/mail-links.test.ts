import { beforeAll, describe, expect, it } from 'vitest'
import { countedLink, type MailLink } from '../../src/messages/figures/links.ts'
import { countClick } from '../../src/messages/figures/store.ts'
import { visit } from '../harness/pages.ts'
import { call, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let made: TestShop
let shop: { id: string; slug: string }

beforeAll(async () => {
  made = await makeShop()
  const { database } = await theService()
  shop = await database.db
    .selectFrom('shops')
    .where('slug', '=', made.slug)
    .select(['id', 'slug'])
    .executeTakeFirstOrThrow()
})

const link: MailLink = { group: 'shipment_in_transit', kind: 'deal', url: 'https://shop.example/deal?x=1&y=2#z' }

async function counted(given: MailLink = link, click_counting = true): Promise<string> {
  return countedLink((await theService()).context(), shop, { click_counting }, given)
}

describe('link of a message', () => {
  it('is plain unless the shop counts clicks', async () => {
    expect(await counted(link, false)).toBe(link.url)
    expect(await counted()).toMatch(/^https:\/\/doorstep\.example\/track\/[\w-]+\/mail-link\/[\w-]+$/)
  })

  it('leads to its target', async () => {
    const { status, headers } = await visit(new URL(await counted()).pathname)
    expect({ status, location: headers.location }).toEqual({ status: 303, location: link.url })
  })

  it('leads nowhere else: a changed target, another shop, and no web address are no page', async () => {
    const path = new URL(await counted()).pathname
    const token = path.split('/').at(-1) ?? ''
    const bytes = Buffer.from(token, 'base64url')
    const forged = Buffer.concat([
      bytes.subarray(0, 16),
      Buffer.from('shipment_in_transit\ndeal\nhttps://evil.example'),
    ])
    const other = await makeShop()
    const wrong = [
      path.replace(token, forged.toString('base64url')),
      path.replace(made.slug, other.slug),
      `/track/${made.slug}/mail-link/${token.slice(0, 20)}`,
    ]
    for (const address of wrong) expect((await visit(address)).status).toBe(404)
    expect(await counted({ ...link, url: 'javascript:alert(1)' })).toBe('javascript:alert(1)')
  })

  it('stays plain if it is too long for an address', async () => {
    const url = `https://shop.example/${'x'.repeat(400)}`
    expect(await counted({ ...link, url })).toBe(url)
    const fitting = { ...link, url: `https://shop.example/${'x'.repeat(280)}` }
    expect((await visit(new URL(await counted(fitting)).pathname)).headers.location).toBe(fitting.url)
  })

  it('is not counted while the shop does not count, nor for robots', async () => {
    const path = new URL(await counted()).pathname
    await visit(path)
    await visit(path, { headers: { 'user-agent': 'LinkBot' } })
    await call('HEAD', path, { auth: null })
    expect((await made.as('viewer').get('/mail/figures')).body).toMatchObject({ sent: 0, clicks: 0, days: [] })
  })
})

describe('figures of messages', () => {
  it('count by day, group and kind of link, and know nobody', async () => {
    const { context } = await theService()
    const at = context().now
    const day = at.toISOString().slice(0, 10)
    const count = (group: string, kind: 'sent' | 'tracking' | 'deal') =>
      countClick(context(), { shopId: shop.id, at, group, kind })
    await Promise.all([
      ...Array.from({ length: 3 }, () => count('shipment_in_transit', 'sent')),
      count('shipment_in_transit', 'tracking'),
      count('shipment_in_transit', 'tracking'),
      count('shipment_in_transit', 'deal'),
      count('shipment_delivered', 'sent'),
    ])
    const { body } = await made.as('viewer').get('/mail/figures', { from: day, to: day })
    expect(body).toEqual({
      from: day,
      to: day,
      counts_clicks: false,
      sent: 4,
      clicks: 3,
      days: [
        { day, event_group: 'shipment_delivered', sent: 1, clicks: {} },
        { day, event_group: 'shipment_in_transit', sent: 3, clicks: { tracking: 2, deal: 1 } },
      ],
    })
    const other = await makeShop()
    expect((await other.as('viewer').get('/mail/figures')).body).toMatchObject({ sent: 0, days: [] })
    expect((await made.as('viewer').get('/mail/figures', { from: day, to: '2020-01-01' })).status).toBe(422)
  })
})
