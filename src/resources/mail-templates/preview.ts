import type { ShopContext } from '../../foundation/context.ts'
import { ApiError, type Problem } from '../../foundation/errors.ts'
import type { Language } from '../../foundation/languages.ts'
import type { MailGroup } from '../customer-mail/groups.ts'
import { type MailSample, mailSamples } from '../customer-mail/samples.ts'
import type { MailTemplate, RenderedMail } from '../customer-mail/view.ts'
import { viewOfOrder } from './order-view.ts'
import { problemsOf } from './rules.ts'
import { viewOfSample } from './sample-view.ts'
import type { MailTemplateFields } from './schema.ts'
import { findTemplate } from './store.ts'

/** A message that somebody wants to see. */
export interface PreviewedMail {
  group: MailGroup
  language: Language
  /** Undefined: as it is stored. */
  template: MailTemplate | undefined
  /** An order of the shop, or a made-up one. */
  order: { id: string } | { sample: MailSample }
}

/** The message exactly as it would be sent. */
export async function previewMail(
  context: ShopContext,
  { group, language, template, order }: PreviewedMail,
): Promise<RenderedMail> {
  const view =
    'id' in order
      ? await viewOfOrder(context, order.id, group, language)
      : await viewOfSample(context, order.sample, group, language)
  return context.services.renderMail({
    ...view,
    template: template ?? (await findTemplate(context, context.shop.id, group.name, language)),
  })
}

/** The template of a request, or an error with everything that is wrong with it. `at` is where it is in the request. */
export function checkTemplate(group: MailGroup, fields: MailTemplateFields, at: readonly string[]): MailTemplate {
  const template = toTemplate(fields)
  rejectAny(problemsOf(group, template, at))
  return template
}

/**
 * Renders a template with every made-up order. The renderer must not meet it for the first time when a customer's message
 * is due.
 */
export async function checkRendering(
  context: ShopContext,
  group: MailGroup,
  language: Language,
  template: MailTemplate,
  at: readonly string[],
): Promise<void> {
  for (const sample of mailSamples) {
    const view = await viewOfSample(context, sample, group, language)
    const problem = problemOfRendering(context, () => context.services.renderMail({ ...view, template }))
    if (problem) rejectAny([{ loc: [...at, problem.field], msg: problem.msg, type: 'value_error' }])
  }
}

function problemOfRendering(
  context: ShopContext,
  render: () => RenderedMail,
): { field: string; msg: string } | undefined {
  let mail: RenderedMail
  try {
    mail = render()
  } catch (error) {
    context.log.error({ err: error }, 'a template that passed all checks could not be rendered')
    return { field: 'introduction', msg: 'This text cannot be shown. Please write it differently.' }
  }
  if (mail.subject.trim() === '') {
    return { field: 'subject', msg: 'is blank for orders without this detail. Add words of your own.' }
  }
  return /\p{Cc}/u.test(mail.subject) ? { field: 'subject', msg: 'must be one line, without line breaks.' } : undefined
}

function rejectAny(problems: Problem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new ApiError('invalid_payload', `${first.loc.slice(1).join('.')}: ${first.msg}`, { problems })
}

function toTemplate({ subject, preheader, heading, introduction, footer, blocks }: MailTemplateFields): MailTemplate {
  return {
    subject: tidy(subject),
    preheader: tidy(preheader),
    heading: tidy(heading),
    introduction: tidy(introduction),
    footer: tidy(footer),
    blocks: blocks ?? null,
  }
}

/** Line ends of any system become ours. */
function tidy(text: string | null | undefined): string | null {
  return text?.replaceAll('\r\n', '\n') ?? null
}
