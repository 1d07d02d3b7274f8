import { sql } from 'kysely'
import { defineCache } from '../../platform/foundation/caches.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import type { MailBlock, MailTemplate } from '../customer-mail/view.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    /** A template of the shop was changed, or returned to ours. */
    mail_templates: { shopId: string }
  }
}

export interface StoredTemplate extends MailTemplate {
  group: string
  language: Language
  updatedAt: Date
}

/** All templates of a shop, by its id: most shops have none, and sending a message needs one of them. */
const templateCache = defineCache<ReadonlyMap<string, StoredTemplate>>({
  name: 'mail templates',
  maxEntries: 1_000,
  invalidatedBy: { mail_templates: (change, _templates, shopId) => shopId === change.shopId },
})

/** The merchant's changes for a group in a language; null: none. */
export async function findTemplate(
  context: Context,
  shopId: string,
  group: string,
  language: Language,
): Promise<MailTemplate | null> {
  return (await cachedTemplates(context, shopId)).get(keyOf(group, language)) ?? null
}

async function cachedTemplates(context: Context, shopId: string): Promise<ReadonlyMap<string, StoredTemplate>> {
  const cache = context.services.caches.open(templateCache)
  return (
    cache.get(shopId) ??
    cache.load(context, shopId, async () => {
      const templates = await loadTemplates(context, shopId)
      return new Map(templates.map((template) => [keyOf(template.group, template.language), template]))
    })
  )
}

function keyOf(group: string, language: Language): string {
  return `${group} ${language}`
}

/** All of a shop; there are at most as many as groups times languages. */
export function listTemplates(context: ShopContext): Promise<StoredTemplate[]> {
  return loadTemplates(context, context.shop.id)
}

/** As it is stored now, past the cache. */
export async function readTemplate(
  context: ShopContext,
  group: string,
  language: Language,
): Promise<StoredTemplate | undefined> {
  const row = await context.db
    .selectFrom('mail_templates')
    .where('shop_id', '=', context.shop.id)
    .where('event_group', '=', group)
    .where('language', '=', language)
    .selectAll()
    .executeTakeFirst()
  return row && toTemplate(row)
}

async function loadTemplates(context: Context, shopId: string): Promise<StoredTemplate[]> {
  const rows = await context.db
    .selectFrom('mail_templates')
    .where('shop_id', '=', shopId)
    .orderBy('event_group')
    .orderBy('language')
    .selectAll()
    .execute()
  return rows.map(toTemplate)
}

/** Stores a template, or returns to our text if nothing of it is given. */
export async function putTemplate(
  context: ShopContext,
  group: string,
  language: Language,
  template: MailTemplate,
): Promise<void> {
  if (Object.values(template).every((part) => part === null)) return deleteTemplate(context, group, language)
  const { subject, preheader, heading, introduction, footer, blocks } = template
  await context.db
    .insertInto('mail_templates')
    .values({
      shop_id: context.shop.id,
      event_group: group,
      language,
      subject,
      preheader,
      heading,
      introduction,
      footer,
      blocks,
      updated_at: context.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['shop_id', 'event_group', 'language']).doUpdateSet({
        subject: sql.ref('excluded.subject'),
        preheader: sql.ref('excluded.preheader'),
        heading: sql.ref('excluded.heading'),
        introduction: sql.ref('excluded.introduction'),
        footer: sql.ref('excluded.footer'),
        blocks: sql.ref('excluded.blocks'),
        updated_at: sql.ref('excluded.updated_at'),
      }),
    )
    .execute()
  await announce(context)
}

export async function deleteTemplate(context: ShopContext, group: string, language: Language): Promise<void> {
  await context.db
    .deleteFrom('mail_templates')
    .where('shop_id', '=', context.shop.id)
    .where('event_group', '=', group)
    .where('language', '=', language)
    .execute()
  await announce(context)
}

function announce(context: ShopContext): Promise<void> {
  return context.services.announce(context, { kind: 'mail_templates', shopId: context.shop.id })
}

interface Row {
  event_group: string
  language: string
  subject: string | null
  preheader: string | null
  heading: string | null
  introduction: string | null
  footer: string | null
  blocks: string[] | null
  updated_at: Date
}

function toTemplate(row: Row): StoredTemplate {
  const { subject, preheader, heading, introduction, footer } = row
  return {
    group: row.event_group,
    language: row.language as Language, // the operations' schema allows only these
    subject,
    preheader,
    heading,
    introduction,
    footer,
    blocks: row.blocks as MailBlock[] | null, // as above
    updatedAt: row.updated_at,
  }
}
