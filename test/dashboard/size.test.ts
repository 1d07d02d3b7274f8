import { beforeAll, describe, expect, it } from 'vitest'
import { builtFolder, readBundle, type StoredBundle } from '../../src/http/bundling/stored-bundle.ts'
import type { BundleParts } from '../../src/http/dashboard/bundle.ts'
import { preloadsFor } from '../../src/http/dashboard/preloads.ts'
import { ensureFresh } from '../harness/built.ts'

const limitBytes = 180_000

/** The pages on which a visit begins. */
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
    await ensureFresh('dashboard')
    bundle = readBundle(builtFolder('dashboard'))
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
