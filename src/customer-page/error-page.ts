import type { Context, ShopContext } from '../platform/foundation/context.ts'
import type { ApiError } from '../platform/foundation/errors.ts'
import { html } from '../platform/foundation/html.ts'
import type { PageRequest, PageResponse } from '../platform/foundation/page-route.ts'
import { renderLayout } from './layout.ts'
import { readTheme, type Theme, themeOf } from './theme.ts'
import { linkTo, viewerOf } from './viewer.ts'

/** The error pages that customers see: what happened, and what to do. */
export async function renderErrorPage(
  context: Context & Partial<ShopContext>,
  request: PageRequest,
  error: ApiError,
): Promise<PageResponse> {
  const viewer = viewerOf(context, request)
  const { texts } = viewer
  const kind = kindOf(error)
  const home = context.shop && linkTo(viewer, `/track/${context.shop.slug}`)
  const action =
    home !== undefined && kind !== 'form' && kind !== 'size'
      ? html`
          <p>
            <a class="button" href="${home}">${texts.say('refused.order.action')}</a>
          </p>`
      : undefined
  const title = texts.say(`refused.${kind}.title`)
  return renderLayout({
    status: error.status,
    headers: error.headers,
    title,
    viewer,
    shop: context.shop,
    theme: await themeFor(context, error),
    address: request.address,
    main: html`
      <div class="narrow">
        <h1>${title}</h1>
        <p class="lead">${texts.say(`refused.${kind}.lead`)}</p>
        ${action}
      </div>`,
  })
}

type Kind = 'shop' | 'order' | 'page' | 'size' | 'form' | 'wait' | 'other'

function kindOf({ key, status }: ApiError): Kind {
  if (key === 'shop_not_found') return 'shop'
  if (key === 'order_not_found') return 'order'
  if (status === 413) return 'size'
  if (status === 429) return 'wait'
  if (status === 404) return 'page'
  return status < 500 ? 'form' : 'other'
}

/** In the shop's colours, except after a server error, when the database is not queried. */
async function themeFor(context: Context & Partial<ShopContext>, { status }: ApiError): Promise<Theme> {
  const { shop } = context
  return shop === undefined || status >= 500 ? themeOf({}) : readTheme({ ...context, shop })
}
