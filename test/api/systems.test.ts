import { describe, expect, it } from 'vitest'
import { systems } from '../../packages/client/src/systems.ts'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

interface Listed {
  name: string
  label: string
  kind: string
  capabilities: string[]
  carriers: string[]
  credential_schema: { required: string[]; properties: Record<string, { writeOnly?: boolean }> } | null
}

async function list(): Promise<Listed[]> {
  const shop = await makeShop()
  const { status, body } = await call('GET', '/v1/systems', { auth: await shop.credentials('viewer') })
  expect(status).toBe(200)
  return body
}

describe('the list of systems', () => {
  it('has each once, with the name of its makers', async () => {
    const listed = await list()
    expect(listed.map(({ name, label, kind }) => [name, label, kind])).toEqual([
      ['aftership', 'AfterShip', 'aggregator'],
      ['dhl', 'DHL', 'carrier'],
      ['ups', 'UPS', 'carrier'],
      ['fedex', 'FedEx', 'carrier'],
      ['easypost', 'EasyPost', 'aggregator'],
      ['sandbox', 'Sandbox', 'sandbox'],
      ['klaviyo', 'Klaviyo', 'marketing'],
      ['brevo', 'Brevo', 'marketing'],
      ['braze', 'Braze', 'marketing'],
      ['hubspot', 'HubSpot', 'marketing'],
      ['emarsys', 'Emarsys', 'marketing'],
      ['inxmail', 'Inxmail', 'marketing'],
      ['shopify', 'Shopify', 'shop_system'],
      ['shopware', 'Shopware', 'shop_system'],
      ['woocommerce', 'WooCommerce', 'shop_system'],
      ['smtp', 'SMTP', 'mail'],
    ])
  })

  it('says what each can do', async () => {
    const byName = new Map((await list()).map((system) => [system.name, system]))
    expect(byName.get('easypost')?.capabilities).toEqual(['tracking', 'registration', 'webhooks', 'check'])
    expect(byName.get('fedex')).toMatchObject({ capabilities: ['tracking', 'check'], carriers: ['fedex'] })
    expect(byName.get('klaviyo')?.capabilities).toEqual(['events', 'segments', 'check'])
    // Its switch has no effect: the API of Braze returns no segments.
    expect(byName.get('braze')?.capabilities).toEqual(['events', 'check'])
    expect(byName.get('shopify')?.capabilities).toEqual(['orders', 'webhooks', 'events', 'check'])
  })

  it('has the schema of the credentials, in which secrets are write-only', async () => {
    const listed = await list()
    const woocommerce = listed.find(({ name }) => name === 'woocommerce')?.credential_schema
    expect(woocommerce?.required).toEqual(['store_url', 'consumer_key', 'consumer_secret'])
    expect(woocommerce?.properties.consumer_secret?.writeOnly).toBe(true)
    expect(woocommerce?.properties.store_url?.writeOnly).toBeUndefined()
    const open = listed.filter((system) => system.credential_schema === null).map(({ name }) => name)
    expect(open).toEqual(['sandbox'])
  })

  it('is what the client and the dashboard have been generated with', async () => {
    const listed = await list()
    expect(Object.keys(systems)).toEqual(listed.map(({ name }) => name))
    for (const { name, label, credential_schema } of listed) {
      const known = new Map(Object.entries(systems)).get(name)
      expect(known?.label).toBe(label)
      expect(known?.fields).toEqual(Object.keys(credential_schema?.properties ?? {}))
    }
  })

  it('is for callers with a key', async () => {
    expect((await call('GET', '/v1/systems', { auth: null })).status).toBe(400)
  })
})
