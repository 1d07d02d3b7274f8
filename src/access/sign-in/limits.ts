import { networkOf } from '../../platform/foundation/client-network.ts'
import { dayMs, hourMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { rateLimited } from '../../platform/foundation/errors.ts'
import {
  type Attempt,
  type AttemptLimit,
  type CountedAttempt,
  rememberRight,
  wasRight,
} from '../../platform/store/attempts.ts'

/** All attempts of a network: passwords, links, sign-ins through OIDC. */
const ofNetwork: AttemptLimit = { name: 'sign-in network', limit: 100, windowMs: 10 * minuteMs }
/** Sign-ins through OIDC that a network begins. They guess nothing, so an office may begin many at once. */
const ofStarts: AttemptLimit = { name: 'oidc start', limit: 300, windowMs: 10 * minuteMs }
/** Passwords of one account, tried from one network. */
const ofAccountThere: AttemptLimit = { name: 'sign-in', limit: 10, windowMs: 15 * minuteMs }
/** Passwords of one account, tried from anywhere. */
const ofAccount: AttemptLimit = { name: 'sign-in account', limit: 50, windowMs: hourMs }
/**
 * Codes of one account, tried from networks where its owner has not signed in. Three of a million are right: at this pace,
 * even odds take more than two years.
 */
const ofCodes: AttemptLimit = { name: 'sign-in code', limit: 10, windowMs: hourMs }
/** Codes of one account, tried from one network where its owner has signed in, and from all of these. */
const ofCodesThere: AttemptLimit = { name: 'known code', limit: 10, windowMs: hourMs }
const ofKnownCodes: AttemptLimit = { name: 'known codes', limit: 30, windowMs: hourMs }
/** Codes of one account, asked for within a session. */
const ofOwnCodes: AttemptLimit = { name: 'own code', limit: 10, windowMs: hourMs }
/** Wrong codes from networks where the owner has not signed in: with the next one, the owner is warned. */
const beforeWarning: AttemptLimit = { name: 'wrong code', limit: 2, windowMs: dayMs }
/** Messages to an owner, and entries of the audit log. */
const ofWarnings: AttemptLimit = { name: 'password warning', limit: 1, windowMs: dayMs }
/** Links that somebody asks for on the sign-in page: for one account, and from one network. */
const ofResets: AttemptLimit = { name: 'reset account', limit: 3, windowMs: hourMs }
const ofResetsThere: AttemptLimit = { name: 'reset network', limit: 20, windowMs: hourMs }
/** The old password, asked for within a session. */
const ofOldPassword: AttemptLimit = { name: 'old password', limit: 10, windowMs: 15 * minuteMs }

/**
 * How long a network is known as one where the owner of an account has signed in. A session lasts for 30 days: when it ends,
 * the network is still known.
 */
const knownMs = 60 * dayMs

export interface CountedSignIn {
  /** Whether the owner of the account has signed in from this network. */
  isKnownHere: boolean
  ofNetwork: CountedAttempt
  ofAccount: CountedAttempt
}

/**
 * Counts an attempt at an account before it is checked. From a network where its owner has signed in, guesses from elsewhere
 * do not count: nobody can lock the owner out.
 */
export async function countSignIn(context: Context, email: string): Promise<CountedSignIn> {
  const network = networkHere(context)
  const counted = await countNetwork(context)
  const isKnownHere = await wasRight(context, knownHere(context, email))
  const ofThis = await count(context, [
    { limit: ofAccountThere, subject: `${network} ${email}` },
    ...(isKnownHere ? [] : [{ limit: ofAccount, subject: email }]),
  ])
  return { isKnownHere, ofNetwork: counted, ofAccount: ofThis }
}

/** After the account's owner has signed in. */
export function rememberNetwork(context: Context, email: string): Promise<void> {
  return rememberRight(context, knownHere(context, email), knownMs)
}

function knownHere(context: Context, email: string): string {
  return `sign-in ${networkHere(context)} ${email}`
}

/** Counts an attempt of which only the network is known. */
export function countNetwork(context: Context): Promise<CountedAttempt> {
  return count(context, [{ limit: ofNetwork, subject: networkHere(context) }])
}

/** Counts a sign-in through OIDC that begins. Whether it ends well is not known here, so it is not given back. */
export function countStart(context: Context): Promise<CountedAttempt> {
  return count(context, [{ limit: ofStarts, subject: networkHere(context) }])
}

/** Counts by the address that was typed, whether or not it has an account. */
export function countReset(context: Context, email: string): Promise<CountedAttempt> {
  return count(context, [
    { limit: ofResetsThere, subject: networkHere(context) },
    { limit: ofResets, subject: email },
  ])
}

/** `session`: has a session. The others have the password; `known`: in a network where the owner has signed in. */
export type CodeGuesser = 'session' | 'known' | 'stranger'

/** Each kind of guesser has a count of its own, so that strangers who know the password cannot lock the owner out. */
export function countCode(context: Context, personId: string, guesser: CodeGuesser): Promise<CountedAttempt> {
  if (guesser === 'session') return count(context, [{ limit: ofOwnCodes, subject: personId }])
  if (guesser === 'stranger') return count(context, [{ limit: ofCodes, subject: personId }])
  return count(context, [
    { limit: ofCodesThere, subject: `${networkHere(context)} ${personId}` },
    { limit: ofKnownCodes, subject: personId },
  ])
}

/** Counts a wrong code of a stranger. True if there have been so many that the owner should know. */
export async function isSuspicious(context: Context, personId: string): Promise<boolean> {
  return isOver(context, { limit: beforeWarning, subject: personId })
}

/** Counts a warning. True if there was one today. */
export async function wasWarned(context: Context, personId: string): Promise<boolean> {
  return isOver(context, { limit: ofWarnings, subject: personId })
}

async function isOver(context: Context, attempt: Attempt): Promise<boolean> {
  return (await context.services.attempts.count(context, [attempt])).waitSeconds > 0
}

export function countOldPassword(context: Context, personId: string): Promise<CountedAttempt> {
  return count(context, [{ limit: ofOldPassword, subject: personId }])
}

async function count(context: Context, attempts: Attempt[]): Promise<CountedAttempt> {
  const counted = await context.services.attempts.count(context, attempts)
  if (counted.waitSeconds === 0) return counted
  throw rateLimited('Too many attempts.', counted.waitSeconds)
}

export function networkHere({ client }: Context): string {
  return networkOf(client?.address ?? '')
}
