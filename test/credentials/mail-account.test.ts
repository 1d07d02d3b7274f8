import { describe, expect, it } from 'vitest'
import { mailSettingsChanges } from '../../src/credentials/mail-account/operations.ts'

describe('change of mail settings', () => {
  it('has what is given, each in its own field', () => {
    expect(
      mailSettingsChanges({
        quiet_hours: { enabled: false, from: '22:00', to: '07:30' },
        promotion: false,
        click_counting: true,
        footer: ' River & Pine \n',
        bounce_domain: 'bounces.shop.example',
      }),
    ).toEqual({
      quiet_enabled: false,
      quiet_from: '22:00',
      quiet_to: '07:30',
      promotion: false,
      click_counting: true,
      footer: 'River & Pine',
      bounce_domain: 'bounces.shop.example',
    })
  })

  it('is none for what is absent, or null in what is no text', () => {
    expect(mailSettingsChanges({})).toEqual({})
    expect(mailSettingsChanges({ quiet_hours: null, promotion: null, click_counting: null })).toEqual({})
    expect(mailSettingsChanges({ quiet_hours: { enabled: null, from: null, to: '07:30' } })).toEqual({
      quiet_to: '07:30',
    })
  })

  it('empties a text that is null or blank', () => {
    expect(mailSettingsChanges({ footer: null, bounce_domain: null })).toEqual({ footer: null, bounce_domain: null })
    expect(mailSettingsChanges({ footer: '  ' })).toEqual({ footer: null })
  })
})
