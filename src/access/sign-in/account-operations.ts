import type { Context } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { toOneLine } from '../../platform/foundation/mail-address.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { giveBackAttempts } from '../../platform/store/attempts.ts'
import { findPasswordProblem } from '../people/password-rules.ts'
import { ownerOf } from '../people/passwords.ts'
import {
  findPerson,
  lockForSignIn,
  noPasswordWarning,
  type PersonRow,
  updatePerson,
  withPassword,
} from '../people/store.ts'
import { newTotpSecret, setUpTotp } from '../people/totp.ts'
import { deleteLinkOf } from '../sessions/links-store.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import { checkCode, giveBackUnchecked, totpPurpose } from './check-password.ts'
import { countOldPassword } from './limits.ts'
import { EndedSessions, PasswordChange, ProfileUpdate, TotpCode, TotpRequest, TotpSetup } from './schema.ts'

const me = ({ principal }: Context): string => principal.keyId

/** The log has that a secret was changed, and by whom. The operations themselves count failed attempts. */
const mySecrets = { kind: 'person', id: me, isAct: true, isRecordedAfter: true }

export const updateProfile = operation({
  name: 'updateProfile',
  summary: 'Change my name',
  description: 'The name that colleagues see, for example in the audit log and beside notes.',
  area: 'Sign-in',
  route: 'PATCH /v1/session',
  needs: 'credentials',
  body: ProfileUpdate,
  reply: NullReply,
  errors: ['insufficient_rights'],
  audit: { kind: 'person', id: me, isAct: true },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const { id } = await getMyself(context)
      const name = toOneLine(body.name)
      if (name === '') throw invalid(['body', 'name'], 'is required')
      await updatePerson(context, id, { name })
      await context.services.announce(context, { kind: 'person', id })
      return null
    }),
})

export const changePassword = operation({
  name: 'changePassword',
  summary: 'Change my password',
  description: 'Needs the old one. All my other sessions end.',
  area: 'Sign-in',
  route: 'PUT /v1/session/password',
  needs: 'credentials',
  body: PasswordChange,
  reply: EndedSessions,
  errors: ['insufficient_rights'],
  audit: mySecrets,
  async handle(context, { body }) {
    const myself = await getMyself(context)
    await checkPassword(context, myself, body.old_password, ['body', 'old_password'])
    const problem = findPasswordProblem(body.new_password, myself.email)
    if (problem) throw invalid(['body', 'new_password'], problem)
    const password = await context.services.passwords.hash(body.new_password, ownerOf(myself.email, context))
    return inTransaction(context, async (context) => {
      if (!(await lockForSignIn(context, myself.id, myself.password))) throw changedMeanwhile()
      await updatePerson(context, myself.id, withPassword(password))
      await deleteLinkOf(context, myself.id)
      const owner = { kind: 'person', id: myself.id } as const
      const ended = await deleteSessionsOf(context, owner, context.principal.sessionId)
      await context.services.announce(context, { kind: 'person', id: myself.id })
      return { sessions_ended: ended }
    })
  },
})

export const beginTotp = operation({
  name: 'beginTotp',
  summary: 'Begin to set up a second factor',
  description:
    'Returns a new secret for an authenticator app. It counts once a code is confirmed; until then, one can sign in without it.',
  area: 'Sign-in',
  route: 'POST /v1/session/totp',
  needs: 'credentials',
  body: TotpRequest,
  reply: TotpSetup,
  errors: ['insufficient_rights'],
  audit: { none: 'It counts once it is confirmed.' },
  async handle(context, { body }) {
    const myself = await getMyself(context)
    rejectIfOn(myself)
    await checkPassword(context, myself, body.password, ['body', 'password'])
    const secret = newTotpSecret()
    return inTransaction(context, async (context) => {
      if (!(await lockForSignIn(context, myself.id, myself.password))) throw changedMeanwhile()
      rejectIfOn(await getMyself(context))
      const sealed = context.services.vault.seal(secret, totpPurpose(myself.id))
      await updatePerson(context, myself.id, { totp_secret: sealed, totp_last_step: null })
      const { uri, qrCode } = setUpTotp(secret, myself.email, 'Doorstep')
      return { secret, uri, qr_code: qrCode }
    })
  },
})

export const confirmTotp = operation({
  name: 'confirmTotp',
  summary: 'Switch my second factor on',
  description: 'With a code of the secret that was returned before.',
  area: 'Sign-in',
  route: 'POST /v1/session/totp/confirm',
  needs: 'credentials',
  body: TotpCode,
  reply: NullReply,
  errors: ['insufficient_rights'],
  audit: mySecrets,
  async handle(context, { body }) {
    const myself = await getMyself(context)
    rejectIfOn(myself)
    if (myself.totp_secret === null)
      throw invalid(['body', 'code'], 'there is no second factor to confirm: begin first')
    await checkCode(context, myself, body.code, { loc: ['body', 'code'], guesser: 'session' })
    await updatePerson(context, myself.id, { totp_confirmed_at: context.now })
    return null
  },
})

export const removeTotp = operation({
  name: 'removeTotp',
  summary: 'Switch my second factor off',
  description: 'With a current code. A person who has lost their device asks an admin.',
  area: 'Sign-in',
  route: 'POST /v1/session/totp/remove',
  needs: 'credentials',
  body: TotpCode,
  reply: NullReply,
  errors: ['insufficient_rights'],
  audit: mySecrets,
  async handle(context, { body }) {
    const myself = await getMyself(context)
    if (myself.totp_confirmed_at === null) throw invalid(['body', 'code'], 'there is no second factor')
    await checkCode(context, myself, body.code, { loc: ['body', 'code'], guesser: 'session' })
    await updatePerson(context, myself.id, { totp_secret: null, totp_confirmed_at: null })
    return null
  },
})

export const dismissPasswordWarning = operation({
  name: 'dismissPasswordWarning',
  summary: 'Dismiss the warning that somebody has my password',
  description:
    'If it was you who typed wrong codes. A new password ends the warning as well, and keeps out anybody who knows the old one.',
  area: 'Sign-in',
  route: 'DELETE /v1/session/password-warning',
  needs: 'credentials',
  reply: NullReply,
  audit: {
    kind: 'person',
    id: me,
    read: async (context) => ({ password_warning: (await findMyself(context))?.password_warning_at ?? null }),
  },
  handle: (context) =>
    inTransaction(context, async (context) => {
      const myself = await findMyself(context)
      if (myself) await updatePerson(context, myself.id, noPasswordWarning)
      return null
    }),
})

async function findMyself(context: Context): Promise<PersonRow | undefined> {
  const { principal } = context
  return principal.kind === 'person' ? findPerson(context, principal.keyId) : undefined
}

async function getMyself(context: Context): Promise<PersonRow> {
  const person = await findMyself(context)
  if (person) return person
  throw new ApiError('insufficient_rights', 'This is for personal accounts: an API key has neither name nor password.')
}

/** A session alone must not be enough to take the account over. */
async function checkPassword(context: Context, myself: PersonRow, password: string, loc: string[]): Promise<void> {
  if (myself.password === null) throw invalid(loc, 'this account signs in through OIDC and has no password here')
  const counted = await countOldPassword(context, myself.id)
  const isRight = await context.services.passwords
    .verify(password, myself.password, ownerOf(myself.email, context))
    .catch((error) => giveBackUnchecked(context, counted, error))
  if (!isRight) throw invalid(loc, 'is wrong')
  await giveBackAttempts(context, counted)
}

function rejectIfOn({ totp_confirmed_at }: PersonRow): void {
  if (totp_confirmed_at === null) return
  throw new ApiError('invalid_payload', 'Your second factor is on. Switch it off to set it up again.', {
    problems: [{ loc: ['body'], msg: 'the second factor is on', type: 'value_error' }],
  })
}

function changedMeanwhile(): ApiError {
  return new ApiError('invalid_payload', 'The password was changed meanwhile. Sign in again.', {
    problems: [{ loc: ['body'], msg: 'the password was changed meanwhile', type: 'value_error' }],
  })
}
