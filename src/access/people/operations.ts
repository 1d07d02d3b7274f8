import type { Context } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { rejectExpiring } from '../../platform/foundation/lasting-access.ts'
import { toOneLine } from '../../platform/foundation/mail-address.ts'
import { created, operation } from '../../platform/foundation/operation.ts'
import { PageOf, Paging, pageRequest } from '../../platform/foundation/page.ts'
import { mayActAs, principalName, type Role } from '../../platform/foundation/roles.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findShopIdentity } from '../../shops/shops/store.ts'
import { checkGrants, type Grant } from '../keys/grant.ts'
import { createPasswordLink } from '../sessions/links.ts'
import { deleteLinkOf } from '../sessions/links-store.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import { mailPasswordLink } from './mail-link.ts'
import { toPerson } from './present.ts'
import { administers, extendsRights, mayManage, maySee } from './rules.ts'
import {
  Colleague,
  Person,
  PersonFilter,
  PersonInvitation,
  PersonLink,
  type PersonUpdate,
  PersonUpdate as PersonUpdateSchema,
  RemovedPerson,
} from './schema.ts'
import {
  deletePerson,
  findPersonRecord,
  insertPerson,
  listColleagues,
  listPeople,
  lockPerson,
  type PeopleScope,
  type PersonRecord,
  putPersonShops,
  removePersonFrom,
  updatePerson,
} from './store.ts'

/** In the log of the installation, and in that of each shop that the person may use. */
const auditedPerson = {
  kind: 'person',
  async read(context: Context, id: string): Promise<object | undefined> {
    const person = await findPersonRecord(context, id)
    if (person === undefined) return undefined
    const { email, name, shops, status, two_factor } = toPerson(context, person)
    return { email, name, shops, status, two_factor }
  },
  /** A shop's log says nothing about the person's other shops. */
  async readOfShops(context: Context, id: string): Promise<Map<string, object>> {
    const person = await findPersonRecord(context, id)
    if (person === undefined) return new Map()
    const { email, name, status, two_factor } = toPerson(context, person)
    return new Map(person.shops.map(({ shopId, role }) => [shopId, { email, name, role, status, two_factor }]))
  },
}

export const searchPeople = operation({
  name: 'searchPeople',
  summary: 'Search people',
  description:
    'Everyone with an account of their own: all for a superadmin, otherwise those of the shops that the caller administers, and those with a role for all shops except superadmins.',
  area: 'People',
  route: 'GET /v1/people',
  needs: 'admin',
  query: PersonFilter,
  reply: PageOf(Person),
  errors: ['shop_not_found'],
  async handle(context, { query }) {
    const page = await listPeople(context, query, await scopeOf(context, query.shop_slug))
    return { ...page, items: page.items.map((person) => toPerson(context, person)) }
  },
})

export const invitePerson = operation({
  name: 'invitePerson',
  summary: 'Invite a person',
  description:
    'Returns a link with which the person chooses a password. It works once, for 7 days, and is shown only here. If mail is configured it is sent to them (`mailed`); otherwise send it yourself. A key that expires cannot invite: people have access until somebody removes them.',
  area: 'People',
  route: 'POST /v1/people',
  needs: 'admin',
  body: PersonInvitation,
  reply: PersonLink,
  errors: ['user_exists'],
  audit: auditedPerson,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      rejectExpiring(context.principal, 'invite people')
      const { everywhere, bound } = await checkRoles(context, body.shops)
      const id = newId(context.now)
      const person = { id, email: body.email, name: toOneLine(body.name ?? ''), everywhere }
      if (!(await insertPerson(context, person))) {
        throw new ApiError(
          'user_exists',
          'This e-mail address has an account. If you do not see it, ask a superadmin to add your shop to it.',
        )
      }
      await putPersonShops(context, id, bound)
      const { url, expiresAt } = await createPasswordLink(context, 'invitation', id)
      const invited = await getRecord(context, id)
      const createdBy = principalName(context.principal)
      return created(`/v1/people/${id}`, {
        person: toPerson(context, invited),
        link: url,
        expires_at: expiresAt.toISOString(),
        mailed: await mailPasswordLink(context, invited, { kind: 'invitation', url, createdBy }),
      })
    }),
})

export const getPerson = operation({
  name: 'getPerson',
  summary: 'Get a person',
  area: 'People',
  route: 'GET /v1/people/{uuid}',
  needs: 'admin',
  reply: Person,
  errors: ['user_not_found'],
  handle: async (context, { path }) => toPerson(context, await getVisible(context, path.uuid)),
})

export const changePerson = operation({
  name: 'updatePerson',
  summary: 'Update a person',
  description:
    'Fields that are absent stay as they are; `shops` replaces all roles. Changed roles take effect at once, in every session. More rights than before end a link that was created before, so that its creator gains nothing by it. A key that expires can take rights away only: it neither gives more, nor enables people or switches their second factor off.',
  area: 'People',
  route: 'PATCH /v1/people/{uuid}',
  needs: 'admin',
  body: PersonUpdateSchema,
  reply: Person,
  errors: ['user_not_found'],
  audit: auditedPerson,
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      const person = await getManaged(context, path.uuid)
      await applyChanges(context, person, body)
      await context.services.announce(context, { kind: 'person', id: person.id })
      return toPerson(context, await getRecord(context, person.id))
    }),
})

export const removePerson = operation({
  name: 'deletePerson',
  summary: 'Remove a person',
  description:
    'Deletes the account and ends its sessions at once, on every node. A person with rights that the caller does not have only loses the shops that the caller administers. API keys that the person created stay.',
  area: 'People',
  route: 'DELETE /v1/people/{uuid}',
  needs: 'admin',
  reply: RemovedPerson,
  errors: ['user_not_found'],
  audit: auditedPerson,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      await lockPerson(context, path.uuid)
      const person = await getVisible(context, path.uuid)
      rejectOneself(context, person, 'remove yourself')
      const isDeleted = mayManage(context.principal, person)
      const lost = person.shops.filter(({ shopId }) => isDeleted || administers(context.principal, shopId))
      if (!isDeleted && lost.length === 0) {
        throw new ApiError('insufficient_rights', 'This person has a role for all shops: only a superadmin removes it.')
      }
      if (isDeleted) await deletePerson(context, person.id)
      else {
        const shopIds = lost.map(({ shopId }) => shopId)
        await removePersonFrom(context, person.id, shopIds)
      }
      await context.services.announce(context, { kind: 'person', id: person.id })
      return {
        uuid: person.id,
        is_deleted: isDeleted,
        shops: lost.filter((shop) => !shop.isDeleted).map(({ slug }) => slug),
        sessions_ended: isDeleted ? person.sessionCount : 0,
      }
    }),
})

export const resetPerson = operation({
  name: 'resetPerson',
  summary: 'Create a link that sets a new password',
  description:
    'For a person who has forgotten their password, or whose invitation has expired. The link works once, and replaces the one before: for 24 hours, or for 7 days if the invitation is not accepted yet. Until it is used, the old password stays. A second factor stays as well. If mail is configured, the link is sent to the person (`mailed`). A key that expires cannot create one.',
  area: 'People',
  route: 'POST /v1/people/{uuid}/reset',
  needs: 'admin',
  reply: PersonLink,
  errors: ['user_not_found'],
  audit: { ...auditedPerson, isAct: true },
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const person = await getManaged(context, path.uuid)
      if (person.isOidc) throw invalid(['path', 'uuid'], 'this person signs in through OIDC and has no password here')
      if (person.disabledAt !== null) throw invalid(['path', 'uuid'], 'this person is disabled: enable them first')
      rejectExpiring(context.principal, 'create a link that sets a password')
      const kind = person.hasPassword ? 'reset' : 'invitation'
      const { url, expiresAt } = await createPasswordLink(context, kind, person.id)
      const createdBy = principalName(context.principal)
      return {
        person: toPerson(context, await getRecord(context, person.id)),
        link: url,
        expires_at: expiresAt.toISOString(),
        mailed: await mailPasswordLink(context, person, { kind, url, createdBy }),
      }
    }),
})

export const searchColleagues = operation({
  name: 'listColleagues',
  summary: 'List the people and keys of a shop by name',
  description:
    'Everyone to whom work can be assigned: people and keys with access to the shop, except superadmins, and the caller.',
  area: 'People',
  route: 'GET /v1/shops/{slug}/colleagues',
  needs: 'viewer',
  query: Paging,
  reply: PageOf(Colleague),
  handle: (context, { query }) => listColleagues(context, principalName(context.principal), pageRequest(query)),
})

/** The people whom the caller may see, in one shop or in all that the caller administers. */
async function scopeOf(context: Context, slug: string | undefined): Promise<PeopleScope> {
  const { principal } = context
  const withSuperadmins = principal.everywhere === 'superadmin'
  if (slug !== undefined) {
    const shop = await findShopIdentity(context, slug)
    if (shop === undefined) throw new ApiError('shop_not_found', `There is no shop "${slug}".`)
    if (administers(principal, shop.id)) return { shopIds: [shop.id], withSuperadmins }
    throw new ApiError('insufficient_rights', `This needs the role admin in the shop "${slug}".`)
  }
  if (mayActAs(principal.everywhere, 'admin')) return { shopIds: 'all', withSuperadmins }
  const shopIds = [...principal.shops.keys()].filter((shopId) => administers(principal, shopId))
  return { shopIds, withSuperadmins }
}

async function checkRoles(context: Context, shops: Grant<Role>[]) {
  const wrong = shops.findIndex(({ shop_slug, role }) => role === 'superadmin' && shop_slug !== '*')
  if (wrong !== -1) throw invalid(['body', 'shops', wrong, 'role'], 'superadmin is a role for all shops: use "*"')
  return checkGrants(context, shops)
}

async function applyChanges(context: Context, person: PersonRecord, body: PersonUpdate): Promise<void> {
  const { name, shops, is_disabled: isDisabled, two_factor: twoFactor } = body
  if (twoFactor === true) throw invalid(['body', 'two_factor'], 'only the person themselves can switch it on')
  if (shops || isDisabled) rejectOneself(context, person, 'change your own access')
  if (shops) {
    const { everywhere, bound } = await checkRoles(context, shops)
    if (extendsRights(person, { everywhere, shops: bound })) {
      rejectExpiring(context.principal, 'give people more rights')
      await deleteLinkOf(context, person.id)
    }
    await updatePerson(context, person.id, { everywhere })
    await putPersonShops(context, person.id, bound)
  }
  if (isDisabled === false && person.disabledAt !== null) rejectExpiring(context.principal, 'enable people')
  if (twoFactor === false && person.hasTotp) rejectExpiring(context.principal, 'switch a second factor off')
  if (isDisabled) {
    await deleteLinkOf(context, person.id)
    await deleteSessionsOf(context, { kind: 'person', id: person.id })
  }
  await updatePerson(context, person.id, {
    ...(name === undefined ? {} : { name: toOneLine(name) || person.name }),
    ...(isDisabled === undefined ? {} : { disabled_at: isDisabled ? (person.disabledAt ?? context.now) : null }),
    ...(twoFactor === false ? { totp_secret: null, totp_confirmed_at: null } : {}),
  })
}

/** A mistake here could not be undone by the one who made it. */
function rejectOneself({ principal }: Context, { id }: PersonRecord, what: string): void {
  if (principal.kind !== 'person' || principal.keyId !== id) return
  throw new ApiError('insufficient_rights', `You cannot ${what}. Ask another admin.`)
}

async function getManaged(context: Context, id: string): Promise<PersonRecord> {
  await lockPerson(context, id)
  const person = await getVisible(context, id)
  if (mayManage(context.principal, person)) return person
  throw new ApiError(
    'insufficient_rights',
    'This person has rights in shops that you do not administer. You can only remove their role in yours.',
  )
}

/** People whom the caller must not see are reported like those who do not exist. */
async function getVisible(context: Context, id: string): Promise<PersonRecord> {
  const person = await getRecord(context, id)
  if (maySee(context.principal, person)) return person
  throw notFound(id)
}

async function getRecord(context: Context, id: string): Promise<PersonRecord> {
  const person = await findPersonRecord(context, id)
  if (person === undefined) throw notFound(id)
  return person
}

function notFound(id: string): ApiError {
  return new ApiError('user_not_found', `There is no person ${id}.`)
}
