import { findPromotionState, openUnsubscribeToken, setPromotion } from '../../messages/recipients/unsubscribe.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { type Page, type PageRequest, type PageResponse, page } from '../../platform/foundation/page-route.ts'
import { type Texts, textsIn } from '../../platform/foundation/texts.ts'
import { renderLayout } from '../layout.ts'
import { readTheme } from '../theme.ts'
import { linkTo, viewerOf } from '../viewer.ts'
import type english from './texts/en.json'

/** The pages that the link and the button “unsubscribe” of a message with promotion lead to. */
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

interface UnsubscribeState {
  wantsPromotion: boolean
  /** The address, masked: somebody who sees the page over a shoulder learns no more. */
  masked: string
  /** They have just changed their mind. */
  isUndone: boolean
}

/** One question with one button, or the result with one to undo it. */
function renderUnsubscribe(
  texts: Texts<UnsubscribeTextKey>,
  shop: string,
  action: string,
  { wantsPromotion, masked, isUndone }: UnsubscribeState,
): Html {
  const about = html`<p class="hint">${texts.say('address', { address: masked })}</p>`
  if (!wantsPromotion) {
    return html`
      <div class="narrow">
        <div class="stack" role="status">
          <h1>${texts.say('done.title')}</h1>
          <p class="lead">${texts.say('done.lead', { shop })}</p>
        </div>
        ${form(action, about, { choice: 'undo', label: texts.say('undo'), kind: 'quiet' })}
      </div>`
  }
  const notice = isUndone ? html`<p class="notice" role="status">${texts.say('undone')}</p>` : undefined
  return html`
    <div class="narrow">
      ${notice}
      <div class="stack">
        <h1>${texts.say('title')}</h1>
        <p class="lead">${texts.say('lead', { shop })}</p>
      </div>
      ${form(action, about, { choice: 'stop', label: texts.say('submit'), kind: '' })}
    </div>`
}

interface Button {
  choice: string
  label: string
  kind: string
}

function form(action: string, about: Html, { choice, label, kind }: Button): Html {
  return html`
    <form class="card stack" method="post" action="${action}">
      ${about}
      <input type="hidden" name="choice" value="${choice}">
      <div>
        <button class="button ${kind}" type="submit">${label}</button>
      </div>
    </form>`
}

type UnsubscribeTextKey = keyof typeof english

const folder = new URL('./texts/', import.meta.url)

function unsubscribeTexts(language: Language): Texts<UnsubscribeTextKey> {
  return textsIn<UnsubscribeTextKey>(folder, language)
}
