import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/platform/foundation/errors.ts'
import { triggerReceivers } from '../../src/shops/settings/integrations.ts'
import type { TriggerRecord } from '../../src/shops/settings/store.ts'
import { foreignFields, toTriggerSettings, triggerChanges } from '../../src/shops/settings/trigger-rules.ts'

const record: TriggerRecord = {
  status: true,
  trigger_delivered_all_events: false,
  stale_event_threshold: 72,
  segments_enabled: true,
  extra: {
    rest_endpoint: 'https://user:secret@rest.example/path',
    portal_id: '77',
    instance_id: 'mail-1',
    use_proxy: true,
    shipment_group_key: 'tracking_number',
  },
}

describe('settings of triggers', () => {
  it('are shown as the integration has them', () => {
    const shown = Object.fromEntries(
      triggerReceivers.map((receiver) => [receiver, Object.keys(toTriggerSettings(receiver, record, [])).sort()]),
    )
    const mail = ['internal_triggers', 'stale_event_threshold', 'status', 'trigger_delivered_all_events']
    const usual = [...mail, 'segments_enabled'].sort()
    expect(shown).toMatchObject({
      shopify: ['stale_event_threshold', 'status'],
      smtp: mail,
      klaviyo: usual,
      braze: [...usual, 'rest_endpoint'].sort(),
      hubspot: [...usual, 'portal_id'].sort(),
      inxmail: [...usual, 'instance_id'].sort(),
    })
  })

  it('show an address without the credentials in it', () => {
    const shown = JSON.stringify(toTriggerSettings('braze', record, []))
    expect(shown).toContain('rest.example')
    expect(shown).not.toContain('secret')
    expect(toTriggerSettings('braze', { ...record, extra: {} }, [])).toMatchObject({ rest_endpoint: null })
  })
})

describe('change of triggers', () => {
  it('has what is given, off and zero included', () => {
    expect(triggerChanges('klaviyo', {})).toEqual({})
    expect(
      triggerChanges('klaviyo', {
        status: false,
        trigger_delivered_all_events: true,
        segments_enabled: false,
        stale_event_threshold: 24,
      }),
    ).toEqual({
      status: false,
      trigger_delivered_all_events: true,
      segments_enabled: false,
      stale_event_threshold: 24,
    })
  })

  it('leaves a switch that is null as it is, and restores the default of a threshold', () => {
    const update = { status: null, trigger_delivered_all_events: null, segments_enabled: null }
    expect(triggerChanges('klaviyo', update)).toEqual({})
    const { stale_event_threshold } = triggerChanges('klaviyo', { stale_event_threshold: null })
    expect(stale_event_threshold).toBeGreaterThan(0)
  })

  it('ignores what the integration does not have', () => {
    expect(triggerChanges('shopify', { trigger_delivered_all_events: true, segments_enabled: true })).toEqual({})
    expect(triggerChanges('smtp', { segments_enabled: true })).toEqual({})
    expect(triggerChanges('klaviyo', { portal_id: '77', rest_endpoint: 'https://rest.example' })).toEqual({})
    expect(triggerChanges('hubspot', { portal_id: '77', instance_id: 'x' })).toEqual({ extra: { portal_id: '77' } })
  })

  it('empties a text with null, and stores an address without its credentials', () => {
    expect(triggerChanges('hubspot', { portal_id: null })).toEqual({ extra: { portal_id: null } })
    const { extra } = triggerChanges('braze', { rest_endpoint: 'rest.iad-01.braze.com' })
    expect(extra?.rest_endpoint).toContain('rest.iad-01.braze.com')
  })

  it('rejects a value of the wrong kind at its field', () => {
    const rejected = () => triggerChanges('hubspot', { portal_id: 'x'.repeat(1_000) })
    expect(rejected).toThrow(ApiError)
    expect(rejected).toThrow('portal_id')
  })
})

describe('fields of other integrations', () => {
  it('are named, and unknown ones are not', () => {
    expect(foreignFields('klaviyo', { status: true, portal_id: '77', colour: 'red' })).toEqual(['portal_id'])
    expect(foreignFields('hubspot', { portal_id: '77' })).toEqual([])
    expect(foreignFields('shopify', { segments_enabled: true, status: true })).toEqual(['segments_enabled'])
  })
})
