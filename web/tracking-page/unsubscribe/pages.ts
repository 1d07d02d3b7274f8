import type { ShopContext } from '../../../src/foundation/context.ts'
import { ApiError } from '../../../src/foundation/errors.ts'
import { type Page, type PageRequest, type PageResponse, page } from '../../../src/foundation/page-route.ts'
import {
  findPromotionState,
  openUnsubscribeToken,
  setPromotion,
} from '../../../src/resources/mail-recipients/unsubscribe.ts'
import { renderLayout } from '../layout.ts'
import { readTheme } from '../theme.ts'
import { linkTo, viewerOf } from '../viewer.ts'
import { renderUnsubscribe } from './render.ts'
import { unsubscribeTexts } from './texts.ts'

/** Where the link and the button “unsubscribe” of a message with promotion lead. */
export const unsubscribePages: readonly Page[] = [
  page({
    name: 'unsubscribePage',
    route: 'GET /track/{slug}/unsubscribe/{token}',
    // Changes nothing: scanners of mail servers follow every link.
    handle: (context, request) => show(context, request, addressOf(context, request), false),
  }),
  page({
    name: 'unsubscribe',
    route: 'POST /track/{slug}/unsubscribe/{token}',
    // A multipart form is allowed by RFC 8058; it has no file, and pages without one take none.
    files: 1,
    admit: async (context, request) => addressOf(context, request),
    // One click in a mail program sends `List-Unsubscribe=One-Click` (RFC 8058), and takes any 200.
    async handle(context, request) {
      const address = addressOf(context, request)
      const isUndone = request.form.get('choice') === 'undo'
      await setPromotion(context, context.shop.id, address, isUndone)
      return show(context, request, address, isUndone)
    },
  }),
]

function addressOf(context: ShopContext, { path }: PageRequest<'slug' | 'token'>): string {
  const address = openUnsubscribeToken(context, context.shop.id, path.token)
  if (address === undefined) throw new ApiError('route_not_found', 'There is no such page.')
  return address
}

async function show(
  context: ShopContext,
  request: PageRequest<'slug' | 'token'>,
  address: string,
  isUndone: boolean,
): Promise<PageResponse> {
  const viewer = viewerOf(context, request)
  const texts = unsubscribeTexts(viewer.language)
  const state = await findPromotionState(context, context.shop.id, address)
  const root = `/track/${context.shop.slug}/unsubscribe/${request.path.token}`
  return renderLayout({
    title: texts.say(state.wantsPromotion ? 'title' : 'done.title'),
    viewer,
    shop: context.shop,
    theme: await readTheme(context),
    address: root,
    main: renderUnsubscribe(texts, context.shop.name, linkTo(viewer, root), { ...state, isUndone }),
  })
}
