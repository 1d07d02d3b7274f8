import { giveBackAttempts } from '../../../src/database/attempts.ts'
import type { ShopContext } from '../../../src/foundation/context.ts'
import { type Page, type PageRequest, type PageResponse, page, redirect } from '../../../src/foundation/page-route.ts'
import { pageToken } from '../../../src/resources/page-addresses/page-token.ts'
import { findProvenOrder } from '../../../src/resources/page-addresses/store.ts'
import { renderLayout } from '../layout.ts'
import { readTheme } from '../theme.ts'
import { linkTo, viewerOf } from '../viewer.ts'
import type { LookupLimits } from './limits.ts'
import { type LookupState, renderLookup } from './render.ts'

/** The page on which customers find their order without its link. */
export function lookupPages(limits: LookupLimits): Page[] {
  return [
    page({
      name: 'lookupPage',
      route: 'GET /track/{slug}',
      handle: (context, request) => show(context, request, { number: request.query.number ?? '', proof: '' }),
    }),
    page({
      name: 'lookUpOrder',
      route: 'POST /track/{slug}',
      handle: (context, request) => lookUp(context, request, limits),
    }),
  ]
}

async function lookUp(context: ShopContext, request: PageRequest, limits: LookupLimits): Promise<PageResponse> {
  const number = fieldOf(request, 'number')
  const proof = fieldOf(request, 'proof')
  const given = { number, proof }
  if (number === '' || proof === '') return show(context, request, { ...given, isIncomplete: true }, 422)
  const counted = await limits.count(context, { clientAddress: request.clientAddress, number })
  if (counted.waitSeconds > 0) {
    const headers = { 'retry-after': String(counted.waitSeconds) }
    return show(context, request, { ...given, waitMinutes: Math.ceil(counted.waitSeconds / 60) }, 429, headers)
  }
  const order = await findProvenOrder(context, context.shop.id, given)
  // The same reply for a wrong number and a wrong proof, so that a guess does not reveal which orders exist.
  if (order === undefined) return show(context, request, { ...given, isUnknown: true }, 404)
  await giveBackAttempts(context, counted)
  const token = pageToken(context, { shopId: context.shop.id, orderId: order.id, nonce: order.page_nonce })
  return redirect(linkTo(viewerOf(context, request), `/track/${context.shop.slug}/${token}`))
}

/** Without characters that PostgreSQL cannot store, and bounded in length. */
function fieldOf({ form }: PageRequest, name: string): string {
  return (form.get(name) ?? '').replaceAll('\0', '').trim().slice(0, 320)
}

async function show(
  context: ShopContext,
  request: PageRequest,
  state: LookupState,
  status = 200,
  headers: Record<string, string> = {},
): Promise<PageResponse> {
  const viewer = viewerOf(context, request)
  const address = `/track/${context.shop.slug}`
  return renderLayout({
    status,
    headers,
    title: viewer.texts.say('lookup.title'),
    viewer,
    shop: context.shop,
    theme: await readTheme(context),
    address,
    main: renderLookup(viewer, linkTo(viewer, address), state),
  })
}
