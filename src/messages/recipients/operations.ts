import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { created, operation } from '../../platform/foundation/operation.ts'
import { type Page, PageOf } from '../../platform/foundation/page.ts'
import { EmptyReply } from '../../platform/foundation/schema.ts'
import { getInboundSecret } from '../../shops/settings/inbound-secret-store.ts'
import { type StoredAddress, storedAddress } from './address.ts'
import { MailHooks, Suppression, SuppressionCreation, SuppressionFilter } from './schema.ts'
import {
  findRecipient,
  findRecipientByDigest,
  liftRecipient,
  listRecipients,
  type RecipientRow,
  saveRecipient,
} from './store.ts'

const area = 'Mail'

const auditedSuppression = {
  kind: 'mail_suppression',
  named: 'address',
  async read(context: ShopContext, id: string) {
    const row = await findRecipient(context, id)
    if (row === undefined) return undefined
    const { address, reason, gets_mail, gets_promotion } = toSuppression(row)
    return { address, reason, gets_mail, gets_promotion }
  },
}

export const listSuppressions = operation({
  name: 'listMailSuppressions',
  summary: 'List the addresses that get no mail, or no promotion',
  description: 'Newest first. Addresses are stored so that they are recognised, and cannot be read.',
  area,
  route: 'GET /v1/shops/{slug}/mail/suppressions',
  needs: 'viewer',
  query: SuppressionFilter,
  reply: PageOf(Suppression),
  async handle(context, { query }) {
    const page = await (query.address === undefined
      ? listRecipients(context, query)
      : pageOfAddress(context, query.address))
    return { ...page, items: page.items.map(toSuppression) }
  },
})

export const addSuppression = operation({
  name: 'addMailSuppression',
  summary: 'Stop mailing an address',
  description: 'The address gets no message any more, not even about its orders. Adding it again changes nothing.',
  area,
  route: 'POST /v1/shops/{slug}/mail/suppressions',
  needs: 'editor',
  body: SuppressionCreation,
  reply: Suppression,
  audit: auditedSuppression,
  async handle(context, { body }) {
    const address = addressOf(context, body.address, 'body')
    const row = await saveRecipient(context, context.shop.id, address, {
      suppressed: { reason: 'manual', detail: null },
    })
    return created(`/v1/shops/${context.shop.slug}/mail/suppressions/${row.id}`, toSuppression(row))
  },
})

export const removeSuppression = operation({
  name: 'removeMailSuppression',
  summary: 'Mail an address again',
  description:
    'For an address that works again. If its owner also wants no promotion, that stays, and the address remains in the list as unsubscribed.',
  area,
  route: 'DELETE /v1/shops/{slug}/mail/suppressions/{uuid}',
  needs: 'admin',
  reply: EmptyReply,
  errors: ['suppression_not_found'],
  audit: auditedSuppression,
  async handle(context, { path }) {
    if (await liftRecipient(context, path.uuid)) return undefined
    throw new ApiError('suppression_not_found', `This shop has no suppressed address ${path.uuid}.`)
  },
})

export const getHooks = operation({
  name: 'getMailHooks',
  summary: 'Get the addresses for reports of bounces and complaints',
  description:
    "For the shop's mail provider. They contain the webhook secret of the shop, which shop systems sign with as well.",
  area,
  route: 'GET /v1/shops/{slug}/mail/hooks',
  needs: 'admin',
  reply: MailHooks,
  async handle(context) {
    const secret = await getInboundSecret(context, context.shop.id)
    const base = `${context.services.publicUrl}/v1/inbound/${context.shop.slug}/mail`
    const postmark = new URL(`${base}/postmark`)
    postmark.username = 'postmark'
    postmark.password = secret
    return { postmark_url: postmark.href, bounces_url: `${base}/bounces`, secret }
  },
})

/** One address is in the list once. */
async function pageOfAddress(context: ShopContext, text: string): Promise<Page<RecipientRow>> {
  const row = await findRecipientByDigest(context, addressOf(context, text, 'query').digest)
  const items = row === undefined ? [] : [row]
  return { items, total: items.length, hasNext: false }
}

function addressOf(context: ShopContext, text: string, part: 'body' | 'query'): StoredAddress {
  const address = storedAddress(context, context.shop.id, text)
  if (address === undefined) throw invalid([part, 'address'], 'must be an e-mail address')
  return address
}

function toSuppression(row: RecipientRow): Suppression {
  const isSuppressed = row.suppressed_at !== null
  return {
    uuid: row.id,
    address: row.masked,
    // Only these are ever stored.
    reason: isSuppressed ? (row.suppressed_reason as Suppression['reason']) : 'unsubscribed',
    gets_mail: !isSuppressed,
    gets_promotion: !isSuppressed && row.opted_out_at === null,
    detail: row.detail,
    since: (row.suppressed_at ?? row.opted_out_at ?? row.created_at).toISOString(),
  }
}
