import { Readable } from 'node:stream'
import { hidesPages, withoutPageTokens } from '../orders/page-addresses/hide-tokens.ts'
import type { Context, ShopContext, ShopRecord } from '../platform/foundation/context.ts'
import type { Rendered } from './render.ts'

/**
 * A reply without the secret of any customer's page, if the caller only reads: whatever operation it comes from, and in
 * whatever text of the shop it stands.
 */
export function hidePages(context: Context & Partial<Pick<ShopContext, 'shop'>>, rendered: Rendered): Rendered {
  const { shop } = context
  return shop && hidesPages(context) ? { ...rendered, body: hideIn(shop, rendered.body) } : rendered
}

function hideIn(shop: ShopRecord, body: Rendered['body']): Rendered['body'] {
  if (typeof body === 'string') return withoutPageTokens(shop, body)
  if (body instanceof Readable) return Readable.from(hideInChunks(shop, body), { objectMode: false })
  // One character per byte, so that pictures pass as they are.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  const shown = withoutPageTokens(shop, text)
  return shown === text ? body : Buffer.from(shown, 'latin1')
}

/** Streams are made of whole lines, so that no token is in two of their parts. */
async function* hideInChunks(shop: ShopRecord, chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield withoutPageTokens(shop, String(chunk))
}
