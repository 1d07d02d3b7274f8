import { describe, expect, it } from 'vitest'
import type { BundleParts } from '../../src/dashboard/bundle.ts'
import { callsFor, preloadsFor } from '../../src/dashboard/preloads.ts'

const modules = [
  'texts/en.json?first',
  'texts/en.json?later',
  'texts/de.json?first',
  'texts/de.json?later',
  'screens/sign-in/sign-in.tsx',
  'screens/sign-in/invitation.tsx',
  'screens/account/account.tsx',
  'screens/home/home.tsx',
  'screens/orders/orders.tsx',
  'screens/orders/order.tsx',
  'screens/messages/webhooks.tsx',
  'screens/messages/webhook.tsx',
  'screens/messages/delivery.tsx',
  'screens/settings/people/people.tsx',
  'screens/marketing/campaigns.tsx',
  'screens/ab-tests/ab-tests.tsx',
  'screens/ab-tests/ab-test.tsx',
]

const parts: BundleParts = {
  entry: 'main.js',
  style: 'index.css',
  icon: undefined,
  screensWithLaterTexts: ['settings'],
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
    ['/a-shop/marketing/campaigns', 'screens/marketing/campaigns.tsx'],
    ['/a-shop/marketing/ab-tests', 'screens/ab-tests/ab-tests.tsx'],
    ['/a-shop/marketing/ab-tests/17', 'screens/ab-tests/ab-test.tsx'],
    ['/invitation', 'screens/sign-in/invitation.tsx'],
    ['/a-shop/no-such-place', undefined],
  ])('of %s are those of its screen', (path, screen) => expect(screenOf(path)).toBe(screen))

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

  it('include the later texts for a screen that waits for them', () => {
    const preloads = preloadsFor(parts, { path: '/a-shop/settings/people', language: 'de', hasSession: true })
    expect(preloads).toContain('texts/de.json?later')
    expect(preloads).not.toContain('texts/en.json?later')
  })
})

describe('calls that a page will make', () => {
  it.each([
    ['/', ['/v1/session']],
    ['/a-shop', ['/v1/session', '/v1/shops/a-shop/attention']],
    ['/a-shop/', ['/v1/session', '/v1/shops/a-shop/attention']],
    ['/a-shop/orders', ['/v1/session']],
    ['/account', ['/v1/session']],
    ['/..%2fa', ['/v1/session']],
  ])('at %s are %j', (path, calls) => {
    expect(callsFor(parts, { path, language: 'en', hasSession: true })).toEqual(calls)
  })

  it('are none without a session', () => {
    expect(callsFor(parts, { path: '/a-shop', language: 'en', hasSession: false })).toEqual([])
  })
})
