import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Bundle, bundleDashboard, sourceFolder } from '../../src/dashboard/bundle.ts'
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
  '/a-shop/settings/shop',
]

describe('first load of the dashboard', () => {
  let bundle: Bundle

  beforeAll(async () => {
    bundle = await bundleDashboard(sourceFolder)
  })

  it.each(pages)('of %s is at most 180 KB of compressed script and style', (path) => {
    const { parts, files } = bundle
    const loaded = [parts.entry, parts.style ?? '', ...preloadsFor(parts, { path, language: 'de', hasSession: true })]
    const bytes = loaded.map((name) => brotliCompressSync(files.get(name) ?? '').length)
    expect(bytes.every((each) => each > 0)).toBe(true)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(limitBytes)
  })
})
