import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Bundle } from '../../src/bundling/stored-bundle.ts'
import { type BundleParts, bundleDashboard, sourceFolder } from '../../src/dashboard/bundle.ts'
import { preloadsFor } from '../../src/dashboard/preloads.ts'

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
  let bundle: Bundle<BundleParts>
  /** Compressed, by file. */
  let sizes: Map<string, number>

  beforeAll(async () => {
    bundle = await bundleDashboard(sourceFolder)
    sizes = new Map([...bundle.files].map(([name, content]) => [name, brotliCompressSync(content).length]))
  })

  it.each(pages)('of %s is at most 180 KB of compressed script and style', (path) => {
    const { parts } = bundle
    const loaded = [
      parts.entry,
      parts.early ?? '',
      parts.style ?? '',
      ...preloadsFor(parts, { path, language: 'de', hasSession: true }),
    ]
    const bytes = loaded.map((name) => sizes.get(name) ?? 0)
    expect(bytes.every((each) => each > 0)).toBe(true)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(limitBytes)
  })
})
