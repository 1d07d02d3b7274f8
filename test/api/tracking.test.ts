import { describe, expect, it } from 'vitest'
import { chooseCarrier } from '../../src/adapters/carriers/choose.ts'
import { detectCarriers } from '../../src/adapters/carriers/detect.ts'
import { minuteMs } from '../../src/platform/foundation/clock.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { sendParcel } from '../harness/parcels.ts'
import { clock, startNode, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const path = '/settings/carriers/providers'
const noHealth = {
  state: 'disabled',
  last_success_at: null,
  last_failure_at: null,
  last_failure_status: null,
  last_failure_detail: null,
  last_failure_reason: null,
  failing_since: null,
  paused_until: null,
  parcels_followed: 0,
}
const untouched = {
  status: 'disabled',
  enabled_carriers: [],
  disabled_carriers: [],
  has_credentials: false,
  name: expect.any(String),
  supported_carriers: expect.arrayContaining([expect.any(String)]),
  tracked_carriers: [],
  usage: expect.objectContaining({ requests_today: 0, resets_at: null, rate_limited_until: null }),
}

describe('tracking providers', () => {
  it('are off until they are switched on, except the sandbox', async () => {
    const shop = await makeShop()
    const { body } = await shop.as('viewer').get(path)
    const hook = (name: string) => `https://doorstep.example/v1/inbound/${shop.slug}/carriers/${name}`
    expect(body).toEqual({
      aftership: { ...untouched, webhook_url: hook('aftership'), health: noHealth },
      dhl: { ...untouched, webhook_url: null, health: noHealth },
      ups: { ...untouched, webhook_url: null, health: noHealth },
      fedex: { ...untouched, webhook_url: null, health: noHealth },
      easypost: { ...untouched, webhook_url: hook('easypost'), health: noHealth },
      sandbox: {
        ...untouched,
        status: 'live',
        has_credentials: true,
        webhook_url: null,
        tracked_carriers: ['sandbox'],
        health: noHealth,
      },
    })
  })

  it('are all off in production', async () => {
    const service = await startNode({ NODE_ENV: 'production' })
    const admin = (await makeShop({}, service)).as('admin')
    expect((await admin.get(path)).body.sandbox.status).toBe('disabled')
    expect((await admin.get('/settings/bundle')).body.carriers.data.sandbox_status).toBe('disabled')
    expect((await admin.patch(path, { sandbox: { status: 'live' } })).body.sandbox.status).toBe('live')
    await service.stop()
  })

  it('are changed field by field, and the bundle shows the same', async () => {
    const admin = (await makeShop()).as('admin')
    await admin.put('/keys/ups', { client_id: 'client', client_secret: 'secret' })
    const first = await admin.patch(path, {
      ups: { status: 'testing', enabled_carriers: ['UPS', 'ups'] },
      aftership: { status: 'live', disabled_carriers: ['dhl'] },
      dhl: null,
      unknown: { status: 'live' },
    })
    expect(first.body).toMatchObject({
      ups: { status: 'testing', enabled_carriers: ['ups'], disabled_carriers: [], has_credentials: true },
      aftership: { status: 'live', disabled_carriers: ['dhl'], has_credentials: false },
      dhl: { status: 'disabled' },
    })
    const second = await admin.patch(path, {
      ups: { status: null, enabled_carriers: null },
      aftership: { status: 'disabled' },
    })
    expect(second.body).toMatchObject({
      ups: { status: 'testing', enabled_carriers: ['ups'] },
      aftership: { status: 'disabled', disabled_carriers: ['dhl'] },
    })
    expect((await admin.get(path)).body).toEqual(second.body)
    expect((await admin.get('/settings/bundle')).body.carriers.data).toMatchObject({
      ups_status: 'testing',
      ups_enabled_carriers: ['ups'],
      aftership_status: 'disabled',
      aftership_disabled_carriers: ['dhl'],
      override_aftership_tracking_config_for_segments: false,
      pp_status: 'disabled',
    })
  })

  it('accept only carriers of the catalogue, and name an unknown one', async () => {
    const admin = (await makeShop()).as('admin')
    const reply = await admin.patch(path, { dhl: { status: 'live' }, ups: { enabled_carriers: ['ups', 'pigeons'] } })
    expect(reply).toMatchObject({ status: 422, body: { key: 'carrier_reference_invalid' } })
    expect(reply.body.errors[0].loc).toEqual(['body', 'ups', 'enabled_carriers', 1])
    expect((await admin.get(path)).body.dhl.status).toBe('disabled')
    expect(await admin.patch(path, { dhl: { status: 'on' } })).toMatchObject({ status: 422 })
  })

  it('report how many parcels they track', async () => {
    const admin = (await makeShop({ settings: { carriers_enabled: true } })).as('admin')
    for (let count = 0; count < 3; count += 1) await sendParcel(admin, { carrier_reference: 'sandbox' })
    const number = `SBX-DELIVERED-1H-${uniqueNumber()}`
    await sendParcel(admin, { carrier_reference: 'sandbox', tracking_number: number })
    await sendParcel(admin)
    const { workers } = await theService()
    await workers?.parcels.sweep()
    await workers?.parcels.idle()
    // Parcels whose numbers are not of the sandbox are never due.
    expect((await admin.get(path)).body.sandbox.health).toMatchObject({ parcels_followed: 1, failing_since: null })
    expect((await admin.get(path)).body.sandbox.health.last_success_at).not.toBeNull()
  })
})

describe('carrier of a parcel', () => {
  /** A number that fits two carriers: it is the first one's by default, and the other's in a shop that uses that one. */
  const findAmbiguous = () => {
    for (let number = 979_889_000_000; number < 979_889_010_000; number += 1) {
      const clues = { trackingNumber: String(number), countryCode: 'DE' }
      const usual = chooseCarrier(clues).reference
      for (const { carrier_reference: other } of detectCarriers(clues)) {
        const withHistory = chooseCarrier({ ...clues, history: new Map([[other, 1]]) }).reference
        if (other !== usual && withHistory === other) return { number: String(number), usual: usual ?? null, other }
      }
    }
    throw new Error('there is no such number')
  }

  it('is found by carriers that the shop has named before, never by guessed ones', async () => {
    const { number, usual, other } = findAmbiguous()
    const carrierIn = async (named: string | undefined) => {
      const editor = (await makeShop()).as('editor')
      for (let count = 0; count < 12; count += 1) {
        const another = uniqueNumber('X')
        await createOrder(editor, {}, [{ tracking_number: another, ...(named ? { carrier_reference: named } : {}) }])
      }
      // The shop's known carriers are cached for a while.
      clock.advance(11 * minuteMs)
      const order = await createOrder(editor, {}, [{ tracking_number: number }])
      clock.reset()
      return order.trackings[0].carrier.carrier_reference
    }
    expect(await carrierIn(other)).toBe(other)
    expect(await carrierIn(undefined)).toBe(usual)
  })
})
