import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { principalName } from '../../platform/foundation/roles.ts'
import { EmptyReply } from '../../platform/foundation/schema.ts'
import { maxViews, View, ViewContent, ViewFilter, ViewName, ViewOwner } from './schema.ts'
import { deleteView, everybody, findView, listViews, putView, type ViewRow } from './store.ts'

const naming =
  'Names are unique within a screen, for each owner: a private view and a shared one may have the same name, and both are listed.'

/** Private views concern nobody else. A search may be for a customer: the log has that it changed, not what it is. */
async function readShared(context: ShopContext, name: string, view: { screen: View['screen']; shared?: boolean }) {
  const row = view.shared ? await findView(context, { owner: everybody, screen: view.screen, name }) : undefined
  return row && { screen: row.screen, query: row.query }
}

export const searchViews = operation({
  name: 'searchViews',
  summary: 'List saved views',
  description: `The caller’s private views and the shared ones of the shop, by name. ${naming}`,
  area: 'Views',
  route: 'GET /v1/shops/{slug}/views',
  needs: 'viewer',
  query: ViewFilter,
  reply: PageOf(View),
  async handle(context, { query }) {
    const page = await listViews(context, [context.principal.keyId, everybody], query)
    return { ...page, items: page.items.map(toView) }
  },
})

export const saveView = operation({
  name: 'saveView',
  summary: 'Save a view',
  description: `Replaces the view of the same name, screen and owner. ${naming} At most ${maxViews} private ones per person or key, and ${maxViews} shared ones.`,
  area: 'Views',
  route: 'PUT /v1/shops/{slug}/views/{name}',
  needs: 'editor',
  pathSchemas: { name: ViewName },
  body: ViewContent,
  reply: View,
  audit: {
    kind: 'view',
    personal: ['query'],
    id: (_context, { path }) => path.name,
    read: (context, name, { body }) => readShared(context, name, body),
  },
  async handle(context, { path, body }) {
    const saved = await putView(
      context,
      {
        shop_id: context.shop.id,
        owner: ownerOf(context, body.shared),
        screen: body.screen,
        name: path.name,
        query: body.query,
        author: principalName(context.principal),
        created_at: context.now,
        updated_at: context.now,
      },
      maxViews,
    )
    if (saved === undefined) {
      throw invalid(['path', 'name'], `there are already ${maxViews} ${body.shared ? 'shared' : 'private'} views`)
    }
    return toView(saved)
  },
})

export const removeView = operation({
  name: 'deleteView',
  summary: 'Delete a saved view',
  description: 'A private one of the caller, unless shared is true.',
  area: 'Views',
  route: 'DELETE /v1/shops/{slug}/views/{name}',
  needs: 'editor',
  pathSchemas: { name: ViewName },
  query: ViewOwner,
  reply: EmptyReply,
  errors: ['view_not_found'],
  audit: {
    kind: 'view',
    personal: ['query'],
    id: (_context, { path }) => path.name,
    read: (context, name, { query }) => readShared(context, name, query),
  },
  async handle(context, { path, query }) {
    const view = { owner: ownerOf(context, query.shared), screen: query.screen, name: path.name }
    if (!(await deleteView(context, view))) {
      const kind = query.shared ? 'shared' : 'private'
      throw new ApiError('view_not_found', `There is no ${kind} view "${path.name}" of ${query.screen}.`)
    }
    return undefined
  },
})

function ownerOf({ principal }: ShopContext, isShared = false): string {
  return isShared ? everybody : principal.keyId
}

function toView(row: ViewRow): View {
  return {
    name: row.name,
    screen: row.screen as View['screen'], // the schema allows only these
    query: row.query,
    shared: row.owner === everybody,
    author: row.author,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
