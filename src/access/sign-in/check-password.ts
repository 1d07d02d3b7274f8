import type { Context } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { type CountedAttempt, giveBackAttempts } from '../../platform/store/attempts.ts'
import { recordChange } from '../../shops/audit-log/record.ts'
import { mailPasswordWarning } from '../people/mail-warning.ts'
import { NotHashed, ownerOf, strangerTo } from '../people/passwords.ts'
import {
  claimTotpStep,
  findPersonByEmail,
  findPersonRecord,
  lockForSignIn,
  normalizeEmail,
  type PersonRow,
  putPasswordWarning,
  updatePerson,
} from '../people/store.ts'
import { findTotpStep } from '../people/totp.ts'
import { type StartedSession, startSession } from '../sessions/start-session.ts'
import {
  type CodeGuesser,
  countCode,
  countSignIn,
  isSuspicious,
  networkHere,
  rememberNetwork,
  wasWarned,
} from './limits.ts'

/**
 * Signs a person in. Unknown, disabled and invited accounts fail like a wrong password, after the same work. Nothing is
 * locked while the password is hashed, so the account is checked again when the session starts.
 */
export async function signInWithPassword(
  context: Context,
  given: { email: string; password: string; totp: string | undefined },
): Promise<{ person: PersonRow; session: StartedSession }> {
  const { passwords } = context.services
  const email = normalizeEmail(given.email)
  const counted = await countSignIn(context, email)
  const person = await findPersonByEmail(context, email)
  const caller = counted.isKnownHere ? ownerOf(email, context) : strangerTo(email, context)
  const isRight = await passwords
    .verify(given.password, person?.password ?? null, caller)
    .catch((error) => giveBackUnchecked(context, counted.ofAccount, error))
  if (person === undefined || person.password === null || !isRight || person.disabled_at !== null) throw wrongPassword()
  if (person.totp_confirmed_at !== null) {
    const guesser = counted.isKnownHere ? 'known' : 'stranger'
    await checkCode(context, person, given.totp, { loc: ['body', 'totp'], guesser })
  }
  const stronger = passwords.isOutdated(person.password)
    ? await passwords.hash(given.password, ownerOf(email, context))
    : undefined
  const session = await inTransaction(context, async (context) => {
    if (!(await lockForSignIn(context, person.id, person.password))) throw wrongPassword()
    await updatePerson(context, person.id, {
      last_sign_in_at: context.now,
      ...(stronger === undefined ? {} : { password: stronger }),
    })
    return startSession(context, { kind: 'person', id: person.id })
  })
  // Only now: a caller with the password but without the code is counted.
  for (const each of [counted.ofNetwork, counted.ofAccount]) await giveBackAttempts(context, each)
  await rememberNetwork(context, email)
  return { person, session }
}

/** Nothing was guessed if nothing was hashed: an owner who has to try again on a busy day is not locked out by it. */
export async function giveBackUnchecked(context: Context, counted: CountedAttempt, error: unknown): Promise<never> {
  if (error instanceof NotHashed) await giveBackAttempts(context, counted)
  throw error
}

/** Accepts a code of the person's second factor, each one once. */
export async function checkCode(
  context: Context,
  person: PersonRow,
  code: string | undefined,
  { loc, guesser }: { loc: string[]; guesser: CodeGuesser },
): Promise<void> {
  if (code === undefined) {
    const msg = 'a code from your authenticator app is required'
    throw new ApiError('invalid_payload', `${loc.at(-1)}: ${msg}`, { problems: [{ loc, msg, type: 'missing' }] })
  }
  const counted = await countCode(context, person.id, guesser)
  const step = findTotpStep(openTotpSecret(context, person), code, context.now)
  if (step === undefined || !(await claimTotpStep(context, person.id, step))) {
    if (guesser === 'stranger') await warnOfWrongCode(context, person)
    throw invalid(loc, 'is wrong, or was used before: wait for the next one')
  }
  await giveBackAttempts(context, counted)
}

/** Bound to its person, so that one moved to another row opens nothing. */
export function totpPurpose(personId: string): string {
  return `totp of ${personId}`
}

function openTotpSecret({ services }: Context, { id, totp_secret }: Pick<PersonRow, 'id' | 'totp_secret'>): string {
  return totp_secret === null ? '' : services.vault.open(totp_secret, totpPurpose(id))
}

function wrongPassword(): ApiError {
  return new ApiError('invalid_merchant_or_key', 'The e-mail address or the password is wrong.')
}

/**
 * After a wrong code to the right password, from a network where the owner of the account has not signed in. From the third
 * one within a day on, the owner sees a warning. Once a day it is also sent to them, and an entry of the audit log.
 */
async function warnOfWrongCode(context: Context, person: PersonRow): Promise<void> {
  if (!(await isSuspicious(context, person.id))) return
  const network = networkHere(context)
  await inTransaction(context, async (context) => {
    if (!(await putPasswordWarning(context, person, network))) return
    if (await wasWarned(context, person.id)) return
    const record = await findPersonRecord(context, person.id)
    if (record === undefined) return
    // Without the network: only the owner sees from where.
    await recordChange(context, {
      shopId: null,
      action: 'warnOfPassword',
      area: 'Sign-in',
      kind: 'person',
      id: person.id,
      name: person.name || person.email,
      changes: {},
    })
    await mailPasswordWarning(context, record, { at: context.now, network })
  })
}
