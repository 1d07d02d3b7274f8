import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dateIn } from '../../src/adapters/carriers/local-time.ts'
import { nextTimeAt, weekdayOf } from '../../src/messages/team-mail/local-time.ts'
import { sendDigests } from '../../src/messages/team-reports/digests.ts'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { evaluateExceptions } from '../../src/tracking/exceptions/evaluate.ts'
import type { ReceivedMail } from '../harness/mail-server.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { makeMember } from '../harness/people.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'
import { type Office, openOffice } from '../harness/team-mail.ts'

let office: Office
beforeAll(async () => {
  office = await openOffice()
  // Events before seven are in no digest of the same morning: the tests begin at noon, whenever they run.
  clock.advance(nextTimeAt('Europe/London', 12, clock.now()).getTime() - clock.now().getTime())
})
// Time only moves on: going back to a time of another test would be no new morning.
afterAll(async () => {
  clock.reset()
  await office.close()
})

const open = (fields = {}) => makeShop(fields, office.service)

/** A person with a role in the shop, and a function that calls for them. */
async function join(shop: TestShop, role: 'viewer' | 'editor' | 'admin' = 'editor') {
  const person = await makeMember([{ shop_slug: shop.slug, role }], office.service)
  const path = `/v1/shops/${shop.slug}/team-mail`
  return {
    ...person,
    get: async () => (await person.browser.call('GET', path)).body,
    choose: (body: unknown) => person.browser.call('PATCH', path, body),
    /** The mails that have arrived, without the invitation. */
    inbox: async () => (await office.inbox(person.email)).filter(({ subject }) => !subject?.startsWith('Your access')),
  }
}

/** The clock moves to shortly after the next 7:00, of the given weekday if one is given; the job runs. */
async function morning({ zone = 'Europe/London', weekday }: { zone?: string; weekday?: number } = {}): Promise<string> {
  let at = nextTimeAt(zone, 7, clock.now())
  for (let day = 0; day < 7 && weekday !== undefined && weekdayOf(dateIn(zone, at)) !== weekday; day += 1) {
    at = nextTimeAt(zone, 7, at)
  }
  clock.advance(at.getTime() - clock.now().getTime() + minuteMs)
  await sendDigests(office.service.context())
  return dateIn(zone, at)
}

/** A morning of another weekday than Monday: nothing weekly is due. */
async function otherMorning(): Promise<void> {
  const tomorrow = weekdayOf(dateIn('Europe/London', nextTimeAt('Europe/London', 7, clock.now())))
  await morning({ weekday: tomorrow === 1 ? 2 : tomorrow })
}

async function deliver(shop: ShopCaller): Promise<void> {
  const number = uniqueNumber('D')
  await createOrder(shop, { order_placed_at: clock.now().toISOString() }, [{ tracking_number: number }])
  await shop.post('/shipment-events', { id: number, event_name: 'SUCCESSFULLY_DELIVERED' })
}

async function lose(shop: ShopCaller): Promise<{ id: string; orderNumber: string }> {
  const order = await createOrder(shop, { order_placed_at: clock.now().toISOString() }, [
    { tracking_number: uniqueNumber('L'), carrier_reference: 'dhl' },
  ])
  const id = order.trackings[0].uuid as string
  await shop.post(`/shipments/${id}/events`, { event_name: 'SHIPMENT_LOST', event_time: clock.now().toISOString() })
  await evaluateExceptions(office.service.context())
  return { id, orderNumber: order.order_number as string }
}

const subjects = (mails: ReceivedMail[]) => mails.map(({ subject }) => subject)

describe('subscription', () => {
  it('is off for the digest and on for the alerts of admins, until a person chooses', async () => {
    const shop = await open()
    const [editor, admin] = [await join(shop), await join(shop, 'admin')]
    const choice = { digest: 'off', alerts: false, language: null, can_send: true }
    expect(await editor.get()).toEqual({ ...choice, email: editor.email })
    expect(await admin.get()).toEqual({ ...choice, alerts: true, email: admin.email })
    const { status, body } = await editor.choose({ digest: 'weekly', language: 'de' })
    expect([status, body]).toEqual([200, { ...choice, digest: 'weekly', language: 'de', email: editor.email }])
    expect((await editor.choose({ alerts: true })).body).toMatchObject({
      digest: 'weekly',
      alerts: true,
      language: 'de',
    })
    const { body: log } = await shop.as('admin').get('/audit-log')
    expect(JSON.stringify(log)).toContain('team_mail_subscription')
  })

  it('belongs to people, not to keys', async () => {
    const shop = await open()
    const { body } = await shop.as('admin').get('/team-mail')
    expect(body).toEqual({ email: null, digest: 'off', alerts: false, language: null, can_send: true })
    expect((await shop.as('admin').patch('/team-mail', { digest: 'daily' })).status).toBe(403)
  })

  it('rejects bad input', async () => {
    const shop = await open()
    const person = await join(shop)
    for (const body of [{ digest: 'hourly' }, { alerts: 'yes' }, { language: 'fr' }]) {
      expect((await person.choose(body)).status, JSON.stringify(body)).toBe(422)
    }
    const address = { email: 'a@b.example', digest: 'daily', alerts: true, language: null }
    for (const body of [
      { time_zone: 'Mars/Olympus' },
      { addresses: [address, { ...address, email: 'A@B.example' }] },
      { addresses: [{ ...address, email: 'a@b.example\r\nBcc: c@d.example' }] },
      { addresses: Array.from({ length: 21 }, (_, number) => ({ ...address, email: `a${number}@b.example` })) },
    ]) {
      expect((await shop.as('admin').patch('/settings/team-mail', body)).status, JSON.stringify(body)).toBe(422)
    }
    expect((await shop.as('editor').get('/settings/team-mail')).status).toBe(403)
  })

  it('of a shop has a time zone and further addresses', async () => {
    const shop = await open({ language: 'de' })
    const admin = shop.as('admin')
    const empty = { time_zone: null, effective_time_zone: 'Europe/Berlin', addresses: [], can_send: true }
    expect((await admin.get('/settings/team-mail')).body).toEqual(empty)
    const addresses = [{ email: 'desk@shop.example', digest: 'daily', alerts: false, language: 'en' }]
    await admin.patch('/settings/team-mail', { time_zone: 'America/New_York' })
    const { body } = await admin.patch('/settings/team-mail', { addresses })
    expect(body).toEqual({
      ...empty,
      time_zone: 'America/New_York',
      effective_time_zone: 'America/New_York',
      addresses,
    })
    expect((await admin.patch('/settings/team-mail', { time_zone: null })).body.effective_time_zone).toBe(
      'Europe/Berlin',
    )
  })
})

describe('digest', () => {
  it('says in the morning what happened and what waits, with links', async () => {
    const shop = await open({ name: 'River & Pine' })
    const person = await join(shop)
    await person.choose({ digest: 'daily' })
    const { orderNumber, id } = await lose(shop.as('editor'))
    await deliver(shop.as('editor'))
    await otherMorning()
    const [mail, ...others] = await person.inbox()
    expect(others).toEqual([])
    expect(mail?.subject).toMatch(/^River & Pine: your parcels on \d+ \w+$/)
    expect(mail?.text).toContain('Exceptions open: 1\n  1 new · Lost: 1')
    expect(mail?.text).toContain('Parcels delivered: 1')
    expect(mail?.text).toContain(`Order ${orderNumber}: DHL · Lost`)
    expect(mail?.html).toContain(`https://doorstep.example/dashboard/${shop.slug}/shipments/${id}`)
    expect(mail?.html).toContain(`https://doorstep.example/dashboard/${shop.slug}/exceptions`)
    expect(mail?.text).not.toContain('Ada')
  })

  it('is sent once, however often and on however many nodes the job runs', async () => {
    const shop = await open()
    const person = await join(shop)
    await person.choose({ digest: 'daily' })
    await deliver(shop.as('editor'))
    await otherMorning()
    const context = office.service.context()
    await Promise.all([sendDigests(context), sendDigests(context), sendDigests(context)])
    await person.choose({ digest: 'weekly' })
    await person.choose({ digest: 'daily' })
    clock.advance(2 * minuteMs)
    await office.service.schedule.tick()
    expect(await person.inbox()).toHaveLength(1)
  })

  it('is not sent on a day without anything', async () => {
    const shop = await open()
    const [daily, weekly] = [await join(shop), await join(shop)]
    await daily.choose({ digest: 'daily' })
    await weekly.choose({ digest: 'weekly' })
    await morning({ weekday: 1 })
    expect(await daily.inbox()).toEqual([])
    expect(await weekly.inbox()).toHaveLength(1)
  })

  it('of the week is sent on Mondays only, and compares with the week before', async () => {
    const shop = await open()
    const person = await join(shop)
    await person.choose({ digest: 'weekly', language: 'de' })
    await shop.as('admin').patch('/settings/delivery-target', { days: 3 })
    await morning({ weekday: 2 })
    for (let parcel = 0; parcel < 3; parcel += 1) await deliver(shop.as('editor'))
    await morning({ weekday: 4 })
    expect(await person.inbox()).toEqual([])
    await morning({ weekday: 1 })
    const [mail] = await person.inbox()
    expect(mail?.subject).toMatch(/: Ihre Pakete, \d+\. \w+ bis \d+\. \w+$/)
    expect(mail?.text).toContain('Zugestellte Pakete: 3\n  0 in der Woche davor')
  })

  it('follows the time zone of the shop', async () => {
    const shop = await open()
    const person = await join(shop)
    await shop.as('admin').patch('/settings/team-mail', { time_zone: 'America/New_York' })
    await person.choose({ digest: 'daily' })
    await lose(shop.as('editor'))
    // 7:00 in London is the middle of the night in New York.
    const start = nextTimeAt('America/New_York', 7, clock.now())
    clock.advance(start.getTime() - clock.now().getTime() - hourMs)
    await sendDigests(office.service.context())
    expect(await person.inbox()).toEqual([])
    clock.advance(hourMs + minuteMs)
    await sendDigests(office.service.context())
    expect(await person.inbox()).toHaveLength(1)
  })

  it('reaches further addresses, and nobody who has lost their access', async () => {
    const shop = await open()
    const [person, gone, disabled] = [await join(shop), await join(shop), await join(shop)]
    for (const each of [person, gone, disabled]) await each.choose({ digest: 'daily' })
    const email = `desk-${shop.slug}@shop.example`
    await shop.as('admin').patch('/settings/team-mail', {
      addresses: [
        { email, digest: 'daily', alerts: false, language: 'de' },
        { email: person.email, digest: 'daily', alerts: false, language: 'de' },
      ],
    })
    await call('DELETE', `/v1/people/${gone.uuid}`, {}, office.service)
    await call('PATCH', `/v1/people/${disabled.uuid}`, { body: { is_disabled: true } }, office.service)
    await deliver(shop.as('editor'))
    await otherMorning()
    expect(subjects(await person.inbox())).toEqual([expect.stringMatching(/: your parcels on /)])
    expect(subjects(await office.inbox(email))).toEqual([expect.stringMatching(/: Ihre Pakete am /)])
    expect([...(await gone.inbox()), ...(await disabled.inbox())]).toEqual([])
  })

  it('is left out if the morning is long over', async () => {
    const shop = await open()
    const person = await join(shop)
    await person.choose({ digest: 'daily' })
    await deliver(shop.as('editor'))
    clock.advance(nextTimeAt('Europe/London', 7, clock.now()).getTime() - clock.now().getTime() + 10 * hourMs)
    await sendDigests(office.service.context())
    expect(await person.inbox()).toEqual([])
    await deliver(shop.as('editor'))
    await otherMorning()
    expect(await person.inbox()).toHaveLength(1)
  })

  it('costs nothing for shops that nobody wants it from', async () => {
    const shop = await open()
    const person = await join(shop)
    await person.choose({ digest: 'daily' })
    await person.choose({ digest: 'off' })
    const { rows } = await sql`
      select 1 from team_mail_settings join shops on shops.id = shop_id
      where slug = ${shop.slug} and next_digest_at is not null`.execute(office.service.database.db)
    expect(rows).toEqual([])
  })
})

describe('time of a digest', () => {
  it('is 7:00 by the clock on the wall, also when clocks change', () => {
    const next = (zone: string, instant: string) => nextTimeAt(zone, 7, new Date(instant)).toISOString()
    expect(next('Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
    expect(next('Europe/Berlin', '2026-10-24T12:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
    expect(next('Europe/Berlin', '2026-11-16T05:59:59Z')).toBe('2026-11-16T06:00:00.000Z')
    expect(next('Europe/Berlin', '2026-11-16T06:00:00Z')).toBe('2026-11-17T06:00:00.000Z')
    expect(next('Asia/Kolkata', '2026-11-16T00:00:00Z')).toBe('2026-11-16T01:30:00.000Z')
    expect(next('Pacific/Auckland', '2026-11-16T00:00:00Z')).toBe('2026-11-16T18:00:00.000Z')
    expect([weekdayOf('2026-11-16'), weekdayOf('2026-11-22')]).toEqual([1, 7])
    expect(dateIn('Pacific/Auckland', new Date(Date.UTC(2026, 10, 16, 12)))).toBe('2026-11-17')
  })
})
