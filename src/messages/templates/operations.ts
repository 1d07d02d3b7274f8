import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { mailGroups } from '../customer-mail/groups.ts'
import { mailSamples } from '../customer-mail/samples.ts'
import { ownMailTexts } from '../rendering/texts.ts'
import { checkRendering, checkTemplate } from './preview.ts'
import { blocksOf, getGroup, requiredBlocksOf, textLimits, variablesOf } from './rules.ts'
import { MailTemplateFields, MailTemplateList, MailTemplateRecord, templatePath } from './schema.ts'
import { deleteTemplate, listTemplates, putTemplate, readTemplate, type StoredTemplate } from './store.ts'

const area = 'E-mail'
const route = '/v1/shops/{slug}/mail/templates/{group}/{language}' as const

const auditedTemplate = {
  kind: 'mail_template',
  id: (_context: ShopContext, { path }: { path: TemplatePath }) => `${path.group}/${path.language}`,
  async read(context: ShopContext, _id: string, { path }: { path: TemplatePath }) {
    const stored = await readTemplate(context, path.group, path.language as Language) // its schema allows only these
    return stored && textsOf(stored)
  },
}

interface TemplatePath {
  group: string
  language: string
}

export const listMailTemplates = operation({
  name: 'listMailTemplates',
  summary: 'List the messages to customers',
  description:
    "Every message, in the order of a parcel's journey, with the languages in which its text is changed, and what a changed text may use.",
  area,
  route: 'GET /v1/shops/{slug}/mail/templates',
  needs: 'viewer',
  reply: MailTemplateList,
  async handle(context) {
    const changed = languagesByGroup(await listTemplates(context))
    return {
      groups: mailGroups.map((group) => ({
        group: group.name,
        about: group.about,
        is_urgent: group.isUrgent,
        may_promote: group.mayPromote,
        changed_languages: changed.get(group.name) ?? [],
        blocks: blocksOf(group),
        variables: variablesOf(group),
      })),
      samples: [...mailSamples],
      limits: textLimits,
    }
  },
})

export const getMailTemplate = operation({
  name: 'getMailTemplate',
  summary: 'Get the text of a message, yours and ours',
  area,
  route: `GET ${route}`,
  needs: 'viewer',
  pathSchemas: templatePath,
  reply: MailTemplateRecord,
  handle: (context, { path }) => toRecord(context, path),
})

export const putMailTemplate = operation({
  name: 'putMailTemplate',
  summary: 'Change the text of a message',
  description:
    'In one language; what is null or absent is ours. Texts are plain text: markup is shown as it is written, and an address such as https://shop.example becomes a link. The message is rendered with made-up orders before it is stored, so what cannot be sent is rejected here, with the field and a sentence.',
  area,
  route: `PUT ${route}`,
  needs: 'editor',
  pathSchemas: templatePath,
  body: MailTemplateFields,
  reply: MailTemplateRecord,
  audit: auditedTemplate,
  async handle(context, { path, body }) {
    const group = getGroup(path.group)
    const language = path.language as Language // its schema allows only these
    const template = checkTemplate(group, body, ['body'])
    await checkRendering(context, group, language, template)
    return inTransaction(context, async (context) => {
      await putTemplate(context, group.name, language, template)
      return toRecord(context, path)
    })
  },
})

export const deleteMailTemplate = operation({
  name: 'deleteMailTemplate',
  summary: 'Return a message to our text',
  description: 'In one language. Does nothing if the text is ours already.',
  area,
  route: `DELETE ${route}`,
  needs: 'editor',
  pathSchemas: templatePath,
  reply: MailTemplateRecord,
  audit: auditedTemplate,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      await deleteTemplate(context, path.group, path.language as Language) // its schema allows only these
      return toRecord(context, path)
    }),
})

async function toRecord(context: ShopContext, path: TemplatePath): Promise<MailTemplateRecord> {
  const group = getGroup(path.group)
  const language = path.language as Language // the schema of the path allows only these
  const templates = (await listTemplates(context)).filter((template) => template.group === group.name)
  const stored = templates.find((template) => template.language === language)
  return {
    group: group.name,
    language,
    template: textsOf(stored),
    ours: { ...ownMailTexts(group.name, language), blocks: blocksOf(group) },
    variables: variablesOf(group),
    required_blocks: requiredBlocksOf(group),
    changed_languages: templates.map((template) => template.language),
    updated_at: stored?.updatedAt.toISOString() ?? null,
  }
}

function textsOf(stored: StoredTemplate | undefined): MailTemplateRecord['template'] {
  const { subject = null, preheader = null, heading = null, introduction = null, footer = null } = stored ?? {}
  return { subject, preheader, heading, introduction, footer, blocks: stored?.blocks ?? null }
}

function languagesByGroup(templates: readonly StoredTemplate[]): Map<string, Language[]> {
  const changed = new Map<string, Language[]>()
  for (const { group, language } of templates) changed.set(group, [...(changed.get(group) ?? []), language])
  return changed
}
