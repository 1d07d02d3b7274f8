import { describe, expect, it } from 'vitest'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describe('public holidays of a country', () => {
  it('are listed to a viewer of any shop, for this year or another', async () => {
    const auth = await (await makeShop()).credentials('viewer')
    const { status, body } = await call('GET', '/v1/calendars/DE?year=2026', { auth })
    expect(status).toBe(200)
    expect(body).toMatchObject({ country: 'DE', year: 2026 })
    expect(body.holidays).toHaveLength(9)
    expect(body.holidays[1]).toEqual({ date: '2026-04-03', name: 'Good Friday' })
    expect(body.countries).toContain('US')
    expect((await call('GET', '/v1/calendars/GB', { auth })).body.holidays.length).toBeGreaterThanOrEqual(8)
  })

  it('have English names, or German ones for callers who prefer them', async () => {
    const auth = await (await makeShop()).credentials('viewer')
    const nameFor = async (language: string) =>
      (await call('GET', '/v1/calendars/DE?year=2026', { auth, headers: { 'accept-language': language } })).body
        .holidays[1].name
    expect(await nameFor('de-AT, en;q=0.5')).toBe('Karfreitag')
    expect(await nameFor('pt, de;q=0.5')).toBe('Karfreitag')
    expect(await nameFor('en, de;q=0.5')).toBe('Good Friday')
    expect(await nameFor('pt')).toBe('Good Friday')
  })

  it('are not known for every country or year', async () => {
    const auth = await (await makeShop()).credentials('viewer')
    expect((await call('GET', '/v1/calendars/ZZ', { auth })).status).toBe(422)
    expect((await call('GET', '/v1/calendars/DE?year=1999', { auth })).status).toBe(422)
  })
})

describe('the calendar of a shop', () => {
  const christmasEve = { date: '2026-12-24', name: 'Christmas Eve' }

  it('has Saturdays and Sundays off until it is set', async () => {
    const shop = await makeShop()
    expect((await shop.as('viewer').get('/settings/calendar')).body).toEqual({
      weekend: [6, 7],
      closed_days: [],
      open_days: [],
    })
  })

  it('is replaced by an admin, and kept in order', async () => {
    const shop = await makeShop()
    const settings = {
      weekend: [7, 5],
      closed_days: [{ date: '2026-12-31', name: ' Stocktaking ' }, christmasEve],
      open_days: [{ date: '2026-12-20', name: '' }],
    }
    expect((await shop.as('editor').put('/settings/calendar', settings)).status).toBe(403)
    const kept = {
      weekend: [5, 7],
      closed_days: [christmasEve, { date: '2026-12-31', name: 'Stocktaking' }],
      open_days: [{ date: '2026-12-20', name: '' }],
    }
    expect((await shop.as('admin').put('/settings/calendar', settings)).body).toEqual(kept)
    expect((await shop.as('viewer').get('/settings/calendar')).body).toEqual(kept)
    const { body: log } = await shop.as('admin').get('/audit-log', { area: 'Calendar' })
    expect(log).toMatchObject([
      { action: 'replaceCalendarSettings', subject: { kind: 'settings', id: 'calendar' }, changes: { weekend: {} } },
    ])
  })

  it('rejects days that are given twice or contradict each other', async () => {
    const shop = (await makeShop()).as('admin')
    const put = async (change: object) => {
      const { status, body } = await shop.put('/settings/calendar', {
        weekend: [7],
        closed_days: [],
        open_days: [],
        ...change,
      })
      return status === 422 ? body.errors[0].loc.join('.') : status
    }
    expect(await put({ closed_days: [christmasEve, christmasEve] })).toBe('body.closed_days.1.date')
    expect(await put({ closed_days: [christmasEve], open_days: [christmasEve] })).toBe('body.open_days.0.date')
    expect(await put({ weekend: [0] })).toMatch(/^body\.weekend/)
    expect(await put({ weekend: [1, 2, 3, 4, 5, 6, 7] })).toBe('body.weekend')
    expect(await put({ closed_days: [{ date: '2026-02-30', name: '' }] })).toBe('body.closed_days.0.date')
    expect(await put({ weekend: [] })).toBe(200)
  })
})
