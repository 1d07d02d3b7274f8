import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BundleParts, sourceFolder } from '../../src/dashboard/bundle.ts'
import { preloadsFor } from '../../src/dashboard/preloads.ts'
import { readScreens } from '../../src/dashboard/screens.ts'

const screens = readScreens(sourceFolder)

const modules = [
  'texts/en.json?first',
  'texts/en.json?settings',
  'texts/de.json?first',
  'texts/de.json?settings',
  ...screens.map(({ module }) => module),
]

const parts: BundleParts = {
  entry: 'main.js',
  early: 'early.js',
  style: 'index.css',
  icon: undefined,
  screens,
  foldersWithTexts: ['settings'],
  scripts: {
    'main.js': { module: 'main.tsx', imports: ['react.js'], laterImports: modules },
    'react.js': { module: undefined, imports: [], laterImports: [] },
    'list.js': { module: undefined, imports: ['react.js'], laterImports: [] },
    ...Object.fromEntries(modules.map((module) => [module, { module, imports: ['list.js'], laterImports: [] }])),
  },
}

const screenOf = (path: string, hasSession = true) =>
  preloadsFor(parts, { path, language: 'en', hasSession }).find((name) => name.startsWith('screens/'))

describe('preloads of a page of the dashboard', () => {
  it.each([
    ['', 'screens/home/home.tsx'],
    ['/', 'screens/home/home.tsx'],
    ['/a-shop', 'screens/home/home.tsx'],
    ['/account', 'screens/account/account.tsx'],
    ['/a-shop/orders', 'screens/orders/orders.tsx'],
    ['/a-shop/orders/17', 'screens/orders/order.tsx'],
    ['/a-shop/messages/webhooks', 'screens/messages/webhooks.tsx'],
    ['/a-shop/messages/webhooks/17', 'screens/messages/webhook.tsx'],
    ['/a-shop/messages/deliveries/17', 'screens/messages/delivery.tsx'],
    ['/a-shop/settings/people', 'screens/settings/people/people.tsx'],
    ['/a-shop/settings/mail/addresses', 'screens/settings/mail/addresses.tsx'],
    ['/a-shop/settings/mail/delivered', 'screens/settings/mail/message.tsx'],
    ['/a-shop/claims/reasons', 'screens/claims/reasons.tsx'],
    ['/a-shop/claims/17', 'screens/claims/claims.tsx'],
    ['/a-shop/marketing/campaigns', 'screens/marketing/campaigns.tsx'],
    ['/a-shop/marketing/ab-tests', 'screens/ab-tests/ab-tests.tsx'],
    ['/a-shop/marketing/ab-tests/17', 'screens/ab-tests/ab-test.tsx'],
    ['/invitation', 'screens/sign-in/invitation.tsx'],
    ['/a-shop/no-such-place', undefined],
  ])('of %s are those of its screen', (path, screen) => expect(screenOf(path)).toBe(screen))

  it('are known for every screen that a route declares', () => {
    const declared = readdirSync(join(sourceFolder, 'shell', 'routes'))
      .map((name) => readFileSync(join(sourceFolder, 'shell', 'routes', name), 'utf8'))
      .flatMap((source) =>
        [...source.matchAll(/import\('\.\.\/\.\.\/(screens\/[^']+)'\)/g)].map(([, module]) => module),
      )
    expect(declared.length).toBeGreaterThan(60)
    expect(new Set(screens.map(({ module }) => module))).toEqual(new Set(declared))
  })

  it('are those of the sign-in page for a stranger', () => {
    expect(screenOf('/a-shop/orders', false)).toBe('screens/sign-in/sign-in.tsx')
  })

  it('include what the screen needs and the texts of the language, each once, but not the entry', () => {
    expect(preloadsFor(parts, { path: '/a-shop', language: 'de', hasSession: true })).toEqual([
      'react.js',
      'texts/de.json?first',
      'list.js',
      'screens/home/home.tsx',
    ])
  })

  it('include the texts of the folder for a screen that waits for them', () => {
    const preloads = preloadsFor(parts, { path: '/a-shop/settings/people', language: 'de', hasSession: true })
    expect(preloads).toContain('texts/de.json?settings')
    expect(preloads).not.toContain('texts/en.json?settings')
  })
})
