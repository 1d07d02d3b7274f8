import { languages } from '../../platform/foundation/languages.ts'
import {
  DateTime,
  LanguageCode,
  Maybe,
  Named,
  Nullable,
  OneOf,
  type Static,
  Type,
  Uuid,
} from '../../platform/foundation/schema.ts'
import { mailGroups } from '../customer-mail/groups.ts'
import { mailSamples } from '../customer-mail/samples.ts'
import { mailBlocks, mailVariables } from '../customer-mail/view.ts'

/** Longer than any limit, so that a text that is too long is rejected with a sentence about this field. */
const maxLength = 20_000

const Group = OneOf(
  mailGroups.map(({ name }) => name),
  { examples: ['shipment_out_for_delivery'] },
)
const Block = OneOf(mailBlocks, { examples: ['status'] })
const Variable = OneOf(mailVariables, { examples: ['first_name'] })
const Sample = OneOf(mailSamples, { examples: [mailSamples[0]] })

export const templatePath = { group: Group, language: OneOf(languages, { examples: ['en'] }) }

const text = (example: string, description: string) =>
  Maybe(Type.String({ maxLength, description: `${description}. Null or absent: our text`, examples: [example] }))

/** The merchant's changes; everything that is absent is ours. */
export const MailTemplateFields = Named(
  'MailTemplateFields',
  Type.Object({
    subject: text('{first_name}, your parcel arrives today', 'One line of at most 200 characters'),
    preheader: text('The driver is on the way.', 'What mail programs show beside the subject, at most 200 characters'),
    heading: text('It arrives today', 'One line of at most 150 characters'),
    introduction: text('Hello {first_name}, your parcel arrives today.', 'Plain text of at most 2,000 characters'),
    footer: text('River & Pine, Example Street 1, Berlin', "Instead of the shop's footer, at most 1,000 characters"),
    blocks: Maybe(
      Type.Array(Block, {
        maxItems: 50,
        description: 'The blocks that are shown, in their order. Null or absent: all of them, in our order',
      }),
    ),
  }),
)
export type MailTemplateFields = Static<typeof MailTemplateFields>

const StoredTexts = {
  subject: Nullable(Type.String({ examples: ['{first_name}, your parcel arrives today'] })),
  preheader: Nullable(Type.String({ examples: ['The driver is on the way.'] })),
  heading: Nullable(Type.String({ examples: ['It arrives today'] })),
  introduction: Nullable(Type.String({ examples: ['Hello {first_name}, your parcel arrives today.'] })),
  footer: Nullable(Type.String({ examples: ['River & Pine, Example Street 1, Berlin'] })),
}

export const MailTemplateRecord = Named(
  'MailTemplate',
  Type.Object({
    group: Group,
    language: LanguageCode,
    template: Type.Object(
      { ...StoredTexts, blocks: Nullable(Type.Array(Block)) },
      { description: 'What the merchant changed; null: ours' },
    ),
    ours: Type.Object({
      subject: Type.String({ examples: ['Your parcel arrives today'] }),
      preheader: Type.String({ examples: ['The driver is on the way.'] }),
      heading: Type.String({ examples: ['It arrives today'] }),
      introduction: Type.String({ examples: ['Hello {first_name}, your parcel is out for delivery.'] }),
      blocks: Type.Array(Block, { description: 'All that this message can show, in our order' }),
    }),
    variables: Type.Array(Variable, { description: 'What texts may contain in braces: {first_name}' }),
    required_blocks: Type.Array(Block, { description: 'Cannot be hidden' }),
    changed_languages: Type.Array(LanguageCode, { description: 'In which languages this message is changed' }),
    updated_at: Nullable(DateTime),
  }),
)
export type MailTemplateRecord = Static<typeof MailTemplateRecord>

export const MailTemplateList = Named(
  'MailTemplateList',
  Type.Object({
    groups: Type.Array(
      Type.Object({
        group: Group,
        about: OneOf(['parcel', 'return', 'order', 'claim', 'withdrawal'], { examples: ['parcel'] }),
        is_urgent: Type.Boolean({ description: 'Does not wait for the morning' }),
        may_promote: Type.Boolean({ description: 'May show the campaign and deals' }),
        changed_languages: Type.Array(LanguageCode),
        blocks: Type.Array(Block),
        variables: Type.Array(Variable),
      }),
      { description: "In the order of a parcel's journey" },
    ),
    samples: Type.Array(Sample, { description: 'The made-up orders that messages can be previewed with' }),
    limits: Type.Object(
      {
        subject: Type.Integer({ examples: [200] }),
        preheader: Type.Integer({ examples: [200] }),
        heading: Type.Integer({ examples: [150] }),
        introduction: Type.Integer({ examples: [2_000] }),
        footer: Type.Integer({ examples: [1_000] }),
      },
      { description: 'How many characters each text may have' },
    ),
  }),
)
export type MailTemplateList = Static<typeof MailTemplateList>

const message = {
  group: Group,
  language: LanguageCode,
  template: Maybe({ ...MailTemplateFields, description: 'Null or absent: as it is stored' }),
}

export const MailPreviewRequest = Named(
  'MailPreviewRequest',
  Type.Object({
    ...message,
    sample: Maybe({ ...Sample, description: 'A made-up order. Default: the first one, unless order_id is given' }),
    order_id: Maybe({ ...Uuid, description: 'An order of the shop, instead of a made-up one' }),
    scheme: Type.Optional(
      OneOf(['light', 'dark'], { description: "Default: the reader's own setting decides", examples: ['light'] }),
    ),
  }),
)
export type MailPreviewRequest = Static<typeof MailPreviewRequest>

export const MailPreview = Named(
  'MailPreview',
  Type.Object({
    subject: Type.String({ examples: ['Ada, your parcel arrives today'] }),
    html: Type.String({ examples: ['<!doctype html><html lang="en">…</html>'] }),
    text: Type.String({ examples: ['Hello Ada, your parcel is out for delivery.'] }),
  }),
)

export const MailTestRequest = Named(
  'MailTestRequest',
  Type.Object({
    ...message,
    sample: Maybe(Sample),
    to: Type.String({ format: 'email', maxLength: 320, examples: ['you@shop.example'] }),
  }),
)

const testProblems = [
  'no_account',
  'suppressed',
  'unreachable',
  'timeout',
  'tls',
  'unauthorised',
  'sender_rejected',
  'recipient_rejected',
  'message_rejected',
  'private_address',
  'busy',
  'unexpected',
] as const

export const MailTestResult = Named(
  'MailTestResult',
  Type.Object({
    ok: Type.Boolean({ description: 'Whether the mail server accepted the message' }),
    problem: Nullable(
      OneOf(testProblems, {
        description:
          'Why it was not sent. no_account: the shop has no mail server; suppressed: the address bounced or complained; the others as the server was met',
        examples: ['suppressed'],
      }),
    ),
    code: Nullable(Type.Integer({ description: 'The SMTP status', examples: [250] })),
    response: Type.String({ description: 'What the server replied', examples: ['250 2.0.0 Ok: queued as 4F1B2'] }),
  }),
)
export type MailTestResult = Static<typeof MailTestResult>
