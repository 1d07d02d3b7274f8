import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { chooseLanguage, type Language } from '../../platform/foundation/languages.ts'
import { created, operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import type { ShopDescription } from '../rows.ts'
import { createShopSettings } from '../settings/store.ts'
import { withPublicAddresses } from './addresses.ts'
import {
  Shop,
  ShopCreation,
  ShopFilter,
  ShopProfile,
  type ShopUpdate,
  ShopUpdate as ShopUpdateSchema,
} from './schema.ts'
import {
  findShop,
  findShopIdentity,
  insertShop,
  listShops,
  type NewShop,
  type ShopChanges,
  type ShopRow,
  updateShop,
} from './store.ts'

const auditedShop = {
  kind: 'shop',
  async read(context: Context, slug: string): Promise<object | undefined> {
    const { deleted_at: _none, ...shop } = (await findShopIdentity(context, slug)) ?? {}
    return 'slug' in shop ? withPublicAddresses(shop) : undefined
  },
}

export const createShop = operation({
  name: 'createShop',
  summary: 'Create a shop',
  area: 'Shops',
  route: 'POST /v1/shops',
  needs: 'superadmin',
  body: ShopCreation,
  reply: NullReply,
  errors: ['shop_exists'],
  audit: { ...auditedShop, scope: 'installation' },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const language = body.language ?? 'en'
      const shop: NewShop = withPublicAddresses({
        id: newId(context.now),
        slug: body.slug,
        name: body.name,
        descriptions: JSON.stringify(
          withDescription({ language, descriptions: [] }, context.acceptLanguage, body.description ?? null),
        ),
        organization: body.organization ?? null,
        language,
        contact_email: body.contact_email ?? null,
        contact_phone: body.contact_phone ?? null,
        industry: body.industry ?? null,
        shop_provider: body.shop_provider ?? null,
        shop_admin_url: body.shop_admin_url ?? null,
        shop_faq_url: body.shop_faq_url ?? null,
        shop_service_url: body.shop_service_url ?? null,
        shop_url: body.shop_url ?? null,
        logo_url: body.logo_url ?? null,
        currency: 'EUR',
        system_currency: null,
        created_at: context.now,
        updated_at: context.now,
        deleted_at: null,
      })
      if (!(await insertShop(context, shop))) {
        throw new ApiError('shop_exists', `There is already a shop "${body.slug}". Choose another slug.`)
      }
      await createShopSettings(context, shop.id, {
        shipmentUpdates: body.settings?.carriers_enabled ?? false,
        triggers: {
          klaviyo: body.settings?.klaviyo_enabled ?? false,
          shopify: body.settings?.shopify_enabled ?? false,
        },
      })
      return created(`/v1/shops/${shop.slug}`, null)
    }),
})

export const searchShops = operation({
  name: 'searchShops',
  summary: 'Search the shops that the key may see',
  area: 'Shops',
  route: 'GET /v1/shops',
  needs: 'viewer',
  query: ShopFilter,
  reply: PageOf(Shop),
  async handle(context, { query }) {
    const visible = context.principal.everywhere ? 'all' : [...context.principal.shops.keys()]
    const page = await listShops(context, query, visible)
    return { ...page, items: page.items.map((shop) => toShop(context, shop)) }
  },
})

export const getShopBySlug = operation({
  name: 'getShop',
  summary: 'Get a shop',
  area: 'Shops',
  route: 'GET /v1/shops/{slug}',
  needs: 'viewer',
  reply: Shop,
  async handle(context) {
    return toShop(context, context.shop)
  },
})

export const getShopProfile = operation({
  name: 'getShopProfile',
  summary: 'Get everything of a shop that can be changed',
  description:
    'With what the shop itself does not show: its e-mail address, its URLs and logo, and the description in every language.',
  area: 'Shops',
  route: 'GET /v1/shops/{slug}/profile',
  needs: 'admin',
  reply: ShopProfile,
  async handle(context) {
    return toProfile((await findShop(context, context.shop.id)) ?? context.shop)
  },
})

export const updateShopBySlug = operation({
  name: 'updateShop',
  summary: 'Update a shop',
  description:
    'Fields that are absent stay as they are; null empties a field. The description is stored for the language of the request (Accept-Language). The slug cannot be changed.',
  area: 'Shops',
  route: 'PATCH /v1/shops/{slug}',
  needs: 'admin',
  body: ShopUpdateSchema,
  reply: NullReply,
  audit: { ...auditedShop, id: ({ shop }) => shop.slug },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await updateShop(context, context.shop.id, { ...changesOf(context, body), updated_at: context.now })
      await context.services.announce(context, { kind: 'shop', id: context.shop.id, slug: context.shop.slug })
      return null
    }),
})

export const deleteShop = operation({
  name: 'deleteShop',
  summary: 'Delete a shop',
  description:
    'From then on requests for the shop return 404, no notifications are sent for it, and its slug is free again. Everything that belongs to it is removed for good after 30 days, or as many as the operator has set.',
  area: 'Shops',
  route: 'DELETE /v1/shops/{slug}',
  needs: 'superadmin',
  reply: NullReply,
  worksWhilePaused: true,
  audit: { ...auditedShop, scope: 'installation', id: ({ shop }) => shop.slug },
  handle: (context) =>
    inTransaction(context, async (context) => {
      await updateShop(context, context.shop.id, { deleted_at: context.now, updated_at: context.now })
      await context.services.announce(context, { kind: 'shop', id: context.shop.id, slug: context.shop.slug })
      return null
    }),
})

function changesOf(context: ShopContext, body: ShopUpdate): ShopChanges {
  const { name, language, description, ...others } = given(body, [
    'name',
    'description',
    'organization',
    'language',
    'contact_email',
    'contact_phone',
    'industry',
    'shop_provider',
    'shop_admin_url',
    'shop_faq_url',
    'shop_service_url',
    'shop_url',
    'logo_url',
  ])
  if (name === null) throw invalid(['body', 'name'], 'must not be null')
  return {
    ...withPublicAddresses(others),
    ...(name === undefined ? {} : { name }),
    ...(language === undefined ? {} : { language: language ?? 'en' }),
    ...(description === undefined
      ? {}
      : { descriptions: JSON.stringify(withDescription(context.shop, context.acceptLanguage, description)) }),
  }
}

function toProfile(row: ShopRow): ShopProfile {
  return withPublicAddresses({
    name: row.name,
    slug: row.slug,
    organization: row.organization,
    language: row.language,
    descriptions: row.descriptions.map(({ language, text }) => ({ language, text })),
    contact_email: row.contact_email,
    contact_phone: row.contact_phone,
    industry: row.industry as Shop['industry'], // the schema allows only these
    shop_provider: row.shop_provider as Shop['shop_provider'], // the same
    shop_admin_url: row.shop_admin_url,
    shop_faq_url: row.shop_faq_url,
    shop_service_url: row.shop_service_url,
    shop_url: row.shop_url,
    logo_url: row.logo_url,
    shop_currency: row.currency,
  })
}

function toShop({ acceptLanguage }: Context, row: ShopRow): Shop {
  return withPublicAddresses({
    uuid: row.id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    name: row.name,
    slug: row.slug,
    description: describe(row, acceptLanguage),
    organization: row.organization,
    language: row.language,
    contact_phone: row.contact_phone,
    industry: row.industry as Shop['industry'], // the schema allows only these
    shop_provider: row.shop_provider as Shop['shop_provider'], // the same
    shop_faq_url: row.shop_faq_url,
    shop_service_url: row.shop_service_url,
    shop_currency: row.currency,
  })
}

interface DescribedShop {
  language: Language
  descriptions: readonly ShopDescription[]
}

/** The description in the reader's language, else in the shop's, else the newest. */
export function describe(shop: DescribedShop, acceptLanguage: string | undefined): string | null {
  const inLanguage = (language: Language) => shop.descriptions.find((description) => description.language === language)
  const wanted = chooseLanguage(acceptLanguage, shop.language, (language) => inLanguage(language) !== undefined)
  return (inLanguage(wanted) ?? shop.descriptions[0])?.text ?? null
}

/**
 * The descriptions after writing one in the language of the request. Null removes that language's, or all if the
 * request names no language.
 */
export function withDescription(
  shop: DescribedShop,
  acceptLanguage: string | undefined,
  text: string | null,
): ShopDescription[] {
  if (text === null && acceptLanguage === undefined) return []
  const language = chooseLanguage(acceptLanguage, shop.language)
  const others = shop.descriptions.filter((description) => description.language !== language)
  return text === null ? others : [{ language, text }, ...others]
}
