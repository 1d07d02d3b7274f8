import { beforeAll, describe, expect, it } from 'vitest'
import type { StoredBundle } from '../../src/bundling/stored-bundle.ts'
import type { BundleParts } from '../../src/dashboard/bundle.ts'
import { createDashboard } from '../../src/dashboard/dashboard.ts'
import { preloadsFor } from '../../src/dashboard/preloads.ts'
import { newFolder } from '../harness/new-folder.ts'

const limitBytes = 180_000

/** Where a visit begins. */
const pages = [
  '/sign-in',
  '/a-shop',
  '/a-shop/exceptions',
  '/a-shop/orders',
  '/a-shop/orders/an-order',
  '/a-shop/shipments',
  '/a-shop/messages/webhooks',
  '/a-shop/connect/shopify',
  '/a-shop/settings/shop',
  '/a-shop/claims',
  '/a-shop/performance',
  '/a-shop/marketing/campaigns',
  '/a-shop/marketing/ab-tests',
  '/a-shop/marketing/automations',
  '/a-shop/carriers/providers',
  '/a-shop/imports',
  '/a-shop/sandbox',
  '/a-shop/connect',
]

describe('first load of the dashboard', () => {
  let bundle: StoredBundle<BundleParts>

  beforeAll(async () => {
    // Made only if no process has made and kept one of these sources: it is compressed as browsers load it.
    const dashboard = createDashboard({ dataDir: newFolder(), log: () => console })
    await dashboard.open()
    const state = await dashboard.stateWithin(0)
    if (state.is !== 'open') throw new Error('the dashboard could not be built')
    bundle = state.bundle
  })

  it.each(pages)('of %s is at most 180 KB of compressed script and style', (path) => {
    const { parts } = bundle
    const loaded = [
      parts.entry,
      parts.early ?? '',
      parts.style ?? '',
      ...preloadsFor(parts, { path, language: 'de', hasSession: true }),
    ]
    const bytes = loaded.map((name) => {
      const file = bundle.files.get(name)
      return (file?.brotli ?? file?.plain)?.length ?? 0
    })
    expect(bytes.every((each) => each > 0)).toBe(true)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(limitBytes)
  })
})
