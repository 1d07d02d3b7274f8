import { queueResetRequest } from '../../messages/team-mail/outbox.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
import { type ApiError, invalid } from '../../platform/foundation/errors.ts'
import { toOneLine } from '../../platform/foundation/mail-address.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findShop } from '../../shops/shops/store.ts'
import { findPasswordProblem } from '../people/password-rules.ts'
import { ownerOf } from '../people/passwords.ts'
import {
  findPersonRecord,
  lockPerson,
  normalizeEmail,
  type PersonRecord,
  updatePerson,
  withPassword,
} from '../people/store.ts'
import { claimLink, findLink, type LinkRow } from '../sessions/links-store.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import { countNetwork, countReset } from './limits.ts'
import { rejectForeign } from './reject-foreign.ts'
import { AcceptedLink, LinkAcceptance, LinkToken, OpenLink, RequestedReset, ResetRequest } from './schema.ts'

export const readLink = operation({
  name: 'readLink',
  summary: 'Read an invitation or reset link',
  description: 'Does not use it up.',
  area: 'Sign-in',
  route: 'POST /v1/session/link',
  needs: 'nobody',
  body: LinkToken,
  reply: OpenLink,
  audit: { none: 'It changes nothing.' },
  async handle(context, { body }) {
    await countNetwork(context)
    const { link, person } = await getOpenLink(context, body.token)
    return {
      kind: link.kind === 'reset' ? ('reset' as const) : ('invitation' as const),
      email: person.email,
      name: person.name,
      shops: await shopsOf(context, person),
      expires_at: link.expires_at.toISOString(),
    }
  },
})

export const acceptLink = operation({
  name: 'acceptLink',
  summary: 'Accept an invitation, or reset a password',
  description:
    'Sets the password of the account and uses the link up. Earlier sessions of the account end. Sign in with the new password afterwards.',
  area: 'Sign-in',
  route: 'POST /v1/session/link/accept',
  needs: 'nobody',
  body: LinkAcceptance,
  reply: AcceptedLink,
  errors: ['insufficient_rights'],
  audit: { none: 'The log has who created the link.' },
  async handle(context, { body }) {
    rejectForeign(context)
    await countNetwork(context)
    const { person } = await getOpenLink(context, body.token)
    const problem = findPasswordProblem(body.password, person.email)
    if (problem) throw invalid(['body', 'password'], problem)
    const name = toOneLine(body.name ?? '') || person.name
    if (name === '') throw invalid(['body', 'name'], 'is required')
    // Hashed only for holders of a link, and before anything is locked.
    const password = await context.services.passwords.hash(body.password, ownerOf(person.email, context))
    return inTransaction(context, async (context) => {
      await lockPerson(context, person.id)
      const claimed = await claimLink(context, sha256(body.token), ['invitation', 'reset'])
      if (claimed === undefined) throw deadLink()
      await updatePerson(context, person.id, { ...withPassword(password), name })
      await deleteSessionsOf(context, { kind: 'person', id: person.id })
      await context.services.announce(context, { kind: 'person', id: person.id })
      return { email: person.email }
    })
  },
})

export const requestReset = operation({
  name: 'requestReset',
  summary: 'Ask for a link that sets a new password',
  description:
    'For people who have forgotten their password. The link is sent to the address by e-mail if it has an account with a password; the response is the same either way.',
  area: 'Sign-in',
  route: 'POST /v1/session/reset',
  needs: 'nobody',
  body: ResetRequest,
  reply: RequestedReset,
  errors: ['insufficient_rights'],
  audit: { none: 'Anybody can ask. Until the link is used, nothing changes.' },
  async handle(context, { body }) {
    rejectForeign(context)
    if (context.services.defaultMailAccount === undefined) return { is_available: false }
    const email = normalizeEmail(body.email)
    await countReset(context, email)
    await queueResetRequest(context, { email, acceptLanguage: context.acceptLanguage?.slice(0, 200) ?? null })
    return { is_available: true }
  },
})

async function getOpenLink(context: Context, token: string): Promise<{ link: LinkRow; person: PersonRecord }> {
  const link = await findLink(context, sha256(token))
  const person = link?.person_id ? await findPersonRecord(context, link.person_id) : undefined
  if (link === undefined || person === undefined || person.disabledAt !== null || person.isOidc) throw deadLink()
  return { link, person }
}

async function shopsOf(context: Context, person: PersonRecord) {
  const shops = await Promise.all(
    person.shops.map(async ({ shopId, role }) => ({ name: (await findShop(context, shopId))?.name, role })),
  )
  return [
    ...(person.everywhere === null ? [] : [{ name: '*', role: person.everywhere }]),
    ...shops.flatMap(({ name, role }) => (name === undefined ? [] : [{ name, role }])),
  ]
}

function deadLink(): ApiError {
  return invalid(['body', 'token'], 'this link has expired or was used: ask for a new one')
}
