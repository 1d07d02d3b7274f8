import { describe, expect, it } from 'vitest'
import { mask, maskAll, toMaskedKeys } from '../../src/credentials/integration-keys/rules.ts'
import { listedSystems } from '../../src/credentials/integration-keys/schema.ts'

function formOf(system: string) {
  const found = listedSystems.find(({ name }) => name === system)
  if (found === undefined) throw new Error(`there is no ${system}`)
  return found.form
}

describe('masked secret', () => {
  it.each([
    ['', '****'],
    ['abc', '****'],
    ['abcd', '****d'],
    ['abcdefgh', '****gh'],
    ['0123456789abcdef', '****cdef'],
    ['x'.repeat(100), '****xxxx'],
    ['😀😀😀😀', '****😀'],
  ])('of %j is %s: four characters at most, and never more than a quarter', (secret, shown) => {
    expect(mask(secret)).toBe(shown)
  })

  it('is shown of every field of the credentials', () => {
    expect(maskAll(formOf('ups'), { client_id: 'client-id-1', client_secret: 'secret-secret' })).toEqual({
      client_id: '****-1',
      client_secret: '****ret',
    })
    expect(maskAll(formOf('aftership'), { api_key: 'key-of-aftership', webhook_secret: null })).toEqual({
      api_key: '****ship',
      webhook_secret: null,
    })
  })

  it('leaves what is no secret of a mail account', () => {
    const account = { host: 'mail.example', port: 587, reply_to: null, username: 'user-name', password: 'password-1' }
    expect(maskAll(formOf('smtp'), account)).toEqual({
      host: 'mail.example',
      port: '587',
      reply_to: null,
      username: '****me',
      password: '****-1',
    })
  })
})

describe('masked keys of a shop', () => {
  it('have a place for each provider, empty without credentials', () => {
    const keys = toMaskedKeys(new Map())
    expect(keys).toMatchObject({
      klaviyo: null,
      dhl: null,
      ups: { client_id: null, client_secret: null },
      inxmail: { username: null, password: null },
      easypost: { api_key: null, webhook_secret: null },
    })
    // Only shops that have these name them.
    expect(keys).not.toHaveProperty('smtp')
    expect(keys).not.toHaveProperty('woocommerce')
  })

  it('are put where they belong', () => {
    const keys = toMaskedKeys(
      new Map<string, Record<string, string>>([
        ['klaviyo', { api_key: '****k' }],
        ['brevo', { api_key: '****b' }],
        ['ups', { client_id: '****u', client_secret: '****s' }],
        ['fedex', { client_id: '****f', client_secret: '****x' }],
        ['woocommerce', { store_url: 'https://shop.example', consumer_key: '****w', consumer_secret: '****c' }],
        ['smtp', { host: 'mail.example', port: '587', security: 'tls', username: '****u', from_name: 'Shop' }],
      ]),
    )
    expect(keys).toMatchObject({
      klaviyo: '****k',
      brevo: '****b',
      braze: null,
      ups: { client_id: '****u', client_secret: '****s' },
      fedex: { client_id: '****f', client_secret: '****x' },
      woocommerce: { store_url: 'https://shop.example', consumer_key: '****w', consumer_secret: '****c' },
      smtp: { host: 'mail.example', port: 587, username: '****u', password: null, from_name: 'Shop', reply_to: null },
    })
  })
})
