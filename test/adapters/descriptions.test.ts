import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dhl } from '../../src/adapters/carriers/dhl/description.ts'
import { describeProvider, type ProviderDescription } from '../../src/adapters/carriers/provider.ts'
import { describedProviders } from '../../src/adapters/carriers/registry.ts'
import type { IntegrationDescription } from '../../src/adapters/marketing/integration.ts'
import { describedIntegrations } from '../../src/adapters/marketing/registry.ts'
import { describedShopSystems } from '../../src/adapters/shop-systems/registry.ts'
import { describedSystems, keyedSystems, systems } from '../../src/adapters/systems.ts'

const adapters = join(import.meta.dirname, '../../src/adapters')
const conformance = join(import.meta.dirname, '../conformance')

const ports = [
  { port: 'carriers', described: describedProviders, tests: 'providers' },
  { port: 'marketing', described: describedIntegrations, tests: '' },
  { port: 'shop-systems', described: describedShopSystems, tests: 'shop-systems' },
]

describe.each(ports)('the registry of $port', ({ port, described }) => {
  const names: string[] = described.map(({ name }) => name)

  it('has every folder with a description, under its name', () => {
    const folders = readdirSync(join(adapters, port)).filter((folder) =>
      existsSync(join(adapters, port, folder, 'description.ts')),
    )
    expect(names.toSorted()).toEqual(folders.toSorted())
  })

  it('has systems with names that fit into paths and columns, and labels', () => {
    for (const { name, label } of described) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{1,30}$/)
      expect(label).toMatch(/^\S.*\S$/)
    }
    expect(new Set(described.map(({ label }) => label)).size).toBe(described.length)
  })
})

describe.each(ports.filter(({ port }) => port !== 'shop-systems'))(
  'the folders of $port',
  ({ port, described, tests }) => {
    it.each(described.map(({ name }) => name))(
      '%s: say what documentation was used, and have conformance tests',
      (name) => {
        const readme = readFileSync(join(adapters, port, name, 'README.md'), 'utf8')
        expect(name === 'sandbox' || /https:\/\//.test(readme)).toBe(true)
        expect(existsSync(join(conformance, tests, `${name}.test.ts`))).toBe(true)
      },
    )
  },
)

describe('abilities', () => {
  it.each(describedProviders.map((described) => [described.name, described] as const))(
    'of %s are the methods of its adapter',
    async (_name, described: ProviderDescription) => {
      const adapter = (await described.load()).create({})
      const methods = Object.keys(adapter).filter((method) => method !== 'track')
      expect(methods.toSorted()).toEqual(described.abilities.toSorted())
    },
  )

  it.each(describedIntegrations.map((described) => [described.name, described] as const))(
    'of %s are the methods of its adapter',
    async (_name, described: IntegrationDescription) => {
      const adapter = (await described.load()).create({})
      const methods = Object.keys(adapter).filter((method) => method !== 'send')
      expect(methods.toSorted()).toEqual(described.abilities.toSorted())
    },
  )

  it('are compared with the methods of the adapter by the type checker', () => {
    // @ts-expect-error The adapter of DHL cannot read webhooks.
    expect(describeProvider({ ...dhl, abilities: ['readWebhook'] }).abilities).toEqual(['readWebhook'])
  })
})

describe('credentials', () => {
  it.each(keyedSystems.map((system) => [system.name, system] as const))(
    'of %s have secrets and shown fields among their fields',
    (_name, { form }) => {
      const fields = Object.keys(form.schema.properties)
      expect(form.secrets.length).toBeGreaterThan(0)
      expect([...form.secrets, ...Object.keys(form.shown ?? {})].filter((field) => !fields.includes(field))).toEqual([])
      expect(form.secrets.filter((field) => form.shown?.[field] !== undefined)).toEqual([])
    },
  )

  it('are the same in both descriptions of one system', () => {
    const forms = new Map<string, unknown>()
    for (const { name, credentials } of describedSystems) {
      expect(forms.get(name) ?? credentials).toBe(credentials)
      forms.set(name, credentials)
    }
  })

  it('are needed by every system except for the sandbox, and sent to the hosts that it names', () => {
    const open = systems.filter(({ form }) => form === undefined).map(({ name }) => name)
    expect(open).toEqual(['sandbox'])
    for (const { name, hosts } of [...describedProviders, ...describedIntegrations]) {
      expect(hosts.length > 0, name).toBe(name !== 'sandbox')
    }
  })
})
