import { customsActionGroup, eventNames, getMeaning, isReturn } from '../../platform/catalogue/catalogue.ts'
import { after, dayMs, earliest, latest } from '../../platform/foundation/clock.ts'
import { type ExceptionKind, exceptionKinds } from './schema.ts'

/** The facts that decide whether a parcel is an exception. */
export interface Parcel {
  isDraft: boolean
  direction: string
  phase: string
  flag: string
  currentEventKey: string
  currentEventAt: Date
  /** The newest event of any kind. */
  latestEventAt: Date
  /** The end of the delivery window, by the carrier or predicted from the shop's history. */
  expectedBy: Date | undefined
  /** Until when it can be picked up. */
  pickupBy: Date | undefined
  carrierReference: string | null
  destinationCountry: string | null
  /** The end of the day that its customer was promised. */
  promisedUntil?: Date | undefined
  /** Since when it will probably be late. */
  atRiskSince?: Date | undefined
  /** The time its chance to arrive in time changes although nothing happens to it. */
  chanceCheckAt?: Date | undefined
  /** Whether a provider was queried about it: then a missing scan means something. */
  isPolled: boolean
}

/** After how many days a parcel is listed, unless its route has shown otherwise. */
export interface Limits {
  stuckDays: Record<StuckPhase, number>
  pickupDays: number
}

export const stuckPhases = ['order_processed', 'in_transit', 'in_delivery', 'return_transit'] as const
export type StuckPhase = (typeof stuckPhases)[number]

export const defaultLimits: Limits = {
  stuckDays: { order_processed: 4, in_transit: 4, in_delivery: 2, return_transit: 7 },
  pickupDays: 3,
}

/** The experience with a shop's delivered parcels: how long a carrier into a country pauses between two scans. */
export interface Learnt {
  /** Carriers whose parcels get scans. */
  carriers: string[]
  routes: Record<string, Pauses>
}

export interface Pauses {
  /** Nineteen of twenty parcels never waited longer for a scan. */
  days: number
  /** Half of the parcels never waited longer for a scan. */
  usualHours: number
}

export function routeKey(carrierReference: string | null, destinationCountry: string | null): string {
  return `${carrierReference ?? ''} ${destinationCountry ?? ''}`
}

/** A reason why a parcel is listed. */
export interface Reason {
  kind: ExceptionKind
  /** From when on it applies; it may be in the future. */
  since: Date
  /** The event that made it so; undefined if only a date has passed. */
  causedAt: Date | undefined
}

export interface Evaluation {
  /** Most serious first. */
  reasons: Reason[]
  /** The time the next kind begins to apply or the parcel is given up; undefined if that needs another event. */
  checkAt: Date | undefined
  stuckAfterDays: number | undefined
  usualScanHours: number | undefined
}

/** A parcel without any event for so long is no longer listed: carriers do not search for it either. */
export const givenUpAfterMs = 60 * dayMs
/** A parcel at a pick-up point is listed that long before it is sent back. */
const beforeDeadlineMs = 2 * dayMs

const lostEvents: ReadonlySet<string> = new Set([
  'SHIPMENT_LOST',
  'SHIPMENT_LOST_IN_DELIVERY',
  'SHIPMENT_LOST_IN_PROCESSING',
  'SHIPMENT_LOST_IN_SORTING_CENTER',
  'SHIPMENT_LOST_IN_TRANSIT',
  'SHIPMENT_LOST_IN_TRANSPORT',
  'SHIPMENT_LOST_UNKNOWN_REASON',
  'SHIPMENT_NEVER_ARRIVED',
  'DELIVERY_FAILED_SHIPMENT_DESTROYED',
])
const customsEvents: ReadonlySet<string> = new Set(
  eventNames.filter((name) => getMeaning(name).group === customsActionGroup),
)
const finishedPhases = ['delivered', 'order_cancelled', 'return_received', 'returned']
const phasesToBeLateIn = ['order_processed', 'in_transit', 'in_delivery', 'delivery_failed']

/**
 * A higher number is more serious. Numbers are stored, and Late is 1: new kinds come before or after all others. Customs is the first,
 * because it sends a parcel back within days, and somebody can still prevent that.
 */
export function severityOf(kind: ExceptionKind): number {
  return exceptionKinds.indexOf('late') + 1 - exceptionKinds.indexOf(kind)
}

/** The kinds that apply to a parcel now, and the time to evaluate it next if nothing happens to it. */
export function evaluateParcel(parcel: Parcel, limits: Limits, learnt: Learnt, now: Date): Evaluation {
  const nothing = { reasons: [], checkAt: undefined, stuckAfterDays: undefined, usualScanHours: undefined }
  const givenUpAt = after(parcel.latestEventAt, givenUpAfterMs)
  if (parcel.isDraft || finishedPhases.includes(parcel.phase) || givenUpAt <= now) return nothing
  const stuck = stuckLimit(parcel, limits, learnt)
  const reasons = [
    customsOf(parcel),
    problemOf(parcel),
    returningOf(parcel),
    stuckOf(parcel, stuck?.days),
    waitingOf(parcel, limits),
  ]
    .concat(lateOf(parcel), riskOf(parcel))
    .filter((reason) => reason !== undefined)
  const applying = reasons.filter(({ since }) => since <= now)
  const upcoming = reasons.filter(({ since }) => since > now).map(({ since }) => since)
  return {
    reasons: applying.sort((left, right) => severityOf(right.kind) - severityOf(left.kind)),
    checkAt: earliest([...upcoming, parcel.chanceCheckAt, ...(applying.length > 0 ? [givenUpAt] : [])]),
    stuckAfterDays: stuck?.days,
    usualScanHours: stuck?.usualHours,
  }
}

/** Whether its current event is a loss or a failed delivery. */
function problemOf({ phase, flag, currentEventKey, currentEventAt }: Parcel): Reason | undefined {
  if (lostEvents.has(currentEventKey)) return { kind: 'lost', since: currentEventAt, causedAt: currentEventAt }
  const isFailed = flag === 'error' || phase === 'delivery_failed' || phase === 'return_failed'
  return isFailed ? { kind: 'failed', since: currentEventAt, causedAt: currentEventAt } : undefined
}

/** Waits at customs for a payment or information. What a customer returns has its customs, too: then it is the shop that has to act. */
function customsOf({ currentEventKey, currentEventAt }: Parcel): Reason | undefined {
  if (!customsEvents.has(currentEventKey)) return undefined
  return { kind: 'customs', since: currentEventAt, causedAt: currentEventAt }
}

/** On its way back although the customer was to get it. What a customer returns is meant to come back. */
function returningOf({ phase, direction, currentEventAt }: Parcel): Reason | undefined {
  if (phase !== 'return_transit' || isReturn(direction)) return undefined
  return { kind: 'returning', since: currentEventAt, causedAt: currentEventAt }
}

function stuckOf({ latestEventAt }: Parcel, days: number | undefined): Reason | undefined {
  if (days === undefined) return undefined
  return { kind: 'stuck', since: after(latestEventAt, days * dayMs), causedAt: latestEventAt }
}

/** After how many days without a scan the parcel counts as stuck; undefined if it cannot be. */
function stuckLimit(
  parcel: Parcel,
  limits: Limits,
  learnt: Learnt,
): { days: number; usualHours: number | undefined } | undefined {
  const phase = stuckPhases.find((name) => name === parcel.phase)
  if (phase === undefined) return undefined
  if (phase === 'order_processed' && !isAwaitingScan(parcel, learnt)) return undefined
  const route = learnt.routes[routeKey(parcel.carrierReference, parcel.destinationCountry)]
  if (phase === 'in_transit' && route !== undefined && !isReturn(parcel.direction)) return route
  return { days: limits.stuckDays[phase], usualHours: undefined }
}

/** A label is only late for its first scan if we would see that scan. Customers take their time to send something back. */
function isAwaitingScan({ direction, carrierReference, isPolled }: Parcel, { carriers }: Learnt): boolean {
  if (isReturn(direction)) return false
  return isPolled || (carrierReference !== null && carriers.includes(carrierReference))
}

function waitingOf({ phase, direction, currentEventAt, pickupBy }: Parcel, limits: Limits): Reason | undefined {
  if (phase !== 'collect' || isReturn(direction)) return undefined
  const afterDays = after(currentEventAt, limits.pickupDays * dayMs)
  const beforeDeadline = pickupBy && after(pickupBy, -beforeDeadlineMs)
  const since = latest([currentEventAt, earliest([afterDays, beforeDeadline])]) ?? afterDays
  return { kind: 'waiting', since, causedAt: currentEventAt }
}

/** Late from the end of the expected day on: a driver who comes an hour later needs nobody's attention. */
function lateOf({ phase, expectedBy, promisedUntil, currentEventKey }: Parcel): Reason | undefined {
  const since = earliest([expectedBy && startOfNextDay(expectedBy), promisedUntil])
  if (since === undefined || !phasesToBeLateIn.includes(phase) || lostEvents.has(currentEventKey)) return undefined
  return { kind: 'late', since, causedAt: undefined }
}

/** Not late yet, but less likely to be in time than the shop wants. */
function riskOf({ atRiskSince, currentEventKey }: Parcel): Reason | undefined {
  if (atRiskSince === undefined || lostEvents.has(currentEventKey)) return undefined
  return { kind: 'at_risk', since: atRiskSince, causedAt: undefined }
}

function startOfNextDay(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / dayMs) * dayMs + dayMs)
}

export type ExceptionState = 'open' | 'snoozed' | 'resolved'

/** People's decision about a listed parcel. */
export interface Decision {
  state: ExceptionState
  assignedTo: string | null
  snoozedUntil: Date | null
  resolvedAt: Date | null
  resolvedBy: string | null
  /** How serious it was and its newest cause when it was snoozed or resolved. */
  dismissedSeverity: number | null
  dismissedCausedAt: Date | null
}

export const undecided: Decision = {
  state: 'open',
  assignedTo: null,
  snoozedUntil: null,
  resolvedAt: null,
  resolvedBy: null,
  dismissedSeverity: null,
  dismissedCausedAt: null,
}

export interface Seriousness {
  severity: number
  causedAt: Date | null
}

/** The newest cause of a parcel's reasons; null if only dates have passed. */
export function causeOf(reasons: Reason[]): Date | null {
  return latest(reasons.map(({ causedAt }) => causedAt)) ?? null
}

/**
 * The decision that still applies. A snoozed parcel comes back when its time is over. A snoozed or resolved one comes
 * back if it gets worse: a more serious kind applies, or a later event makes it an exception again.
 */
export function keepDecision(decision: Decision, current: Seriousness, now: Date): Decision {
  if (decision.state === 'open') return decision
  const isOver = decision.state === 'snoozed' && decision.snoozedUntil !== null && decision.snoozedUntil <= now
  return isOver || isWorse(decision, current) ? reopened(decision) : decision
}

function isWorse({ dismissedSeverity, dismissedCausedAt }: Decision, { severity, causedAt }: Seriousness): boolean {
  if (severity > (dismissedSeverity ?? 0)) return true
  return causedAt !== null && (dismissedCausedAt === null || causedAt > dismissedCausedAt)
}

function reopened({ assignedTo }: Decision): Decision {
  return { ...undecided, assignedTo }
}

/** A person's changes. Absent fields stay; null removes an assignment or ends a snooze. */
export interface DecisionChange {
  assignedTo?: string | null
  snoozedUntil?: Date | null
  isResolved?: boolean
}

export function changeDecision(
  decision: Decision,
  change: DecisionChange,
  current: Seriousness,
  by: { name: string; now: Date },
): Decision {
  const { assignedTo = decision.assignedTo, snoozedUntil, isResolved } = change
  const dismissed = { dismissedSeverity: current.severity, dismissedCausedAt: current.causedAt }
  const kept = { ...decision, assignedTo }
  if (isResolved === true) {
    if (decision.state === 'resolved') return kept
    return {
      ...kept,
      ...dismissed,
      state: 'resolved',
      snoozedUntil: null,
      resolvedAt: by.now,
      resolvedBy: by.name,
    }
  }
  if (snoozedUntil) return { ...reopened(kept), ...dismissed, state: 'snoozed', snoozedUntil }
  const isEnded =
    (isResolved === false && kept.state === 'resolved') || (snoozedUntil === null && kept.state === 'snoozed')
  return isEnded ? reopened(kept) : kept
}
