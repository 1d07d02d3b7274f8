import { describe, expect, it } from 'vitest'
import type { BundleParts } from '../../src/http/dashboard/bundle.ts'
import { preloadsFor } from '../../src/http/dashboard/preloads.ts'
import { pages } from '../../web/dashboard/routes/pages.ts'

const modules = [
  'texts/first/en.ts',
  'screens/settings/people/texts.en.json',
  'texts/first/de.ts',
  'screens/settings/people/texts.de.json',
  ...new Set(Object.values(pages).map(({ screen }) => `screens/${screen}.tsx`)),
]

const parts: BundleParts = {
  entry: 'main.js',
  early: 'early.js',
  style: 'index.css',
  icon: undefined,
  scripts: {
    'main.js': { module: 'main.tsx', imports: ['react.js'], laterImports: modules },
    'react.js': { module: undefined, imports: [], laterImports: [] },
    'list.js': { module: undefined, imports: ['react.js'], laterImports: [] },
    ...Object.fromEntries(modules.map((module) => [module, { module, imports: ['list.js'], laterImports: [] }])),
  },
}

const screenOf = (path: string, hasSession = true) =>
  preloadsFor(parts, { path, language: 'en', hasSession }).find((name) => /^screens\/.*\.tsx$/.test(name))

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
    ['/a-shop/marketing/ab-tests/new', 'screens/ab-tests/new-ab-test.tsx'],
    ['/a-shop/marketing/ab-tests/17', 'screens/ab-tests/ab-test.tsx'],
    ['/invitation', 'screens/sign-in/invitation.tsx'],
    ['/a-shop/no-such-place', undefined],
    ['/a-shop/orders/17/no-such-place', undefined],
  ])('of %s are those of its screen', (path, screen) => expect(screenOf(path)).toBe(screen))

  it('are those of the sign-in page for a stranger', () => {
    expect(screenOf('/a-shop/orders', false)).toBe('screens/sign-in/sign-in.tsx')
  })

  it('include what the screen needs and the texts of the language, each once, but not the entry', () => {
    expect(preloadsFor(parts, { path: '/a-shop', language: 'de', hasSession: true })).toEqual([
      'react.js',
      'texts/first/de.ts',
      'list.js',
      'screens/home/home.tsx',
    ])
  })

  it('include the texts of the folder for a screen that waits for them', () => {
    const preloads = preloadsFor(parts, { path: '/a-shop/settings/people', language: 'de', hasSession: true })
    expect(preloads).toContain('screens/settings/people/texts.de.json')
    expect(preloads).not.toContain('screens/settings/people/texts.en.json')
  })
})
