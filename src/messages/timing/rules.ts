import { instantIn, localTimeIn } from '../../adapters/carriers/local-time.ts'
import { after, dayMs, minuteMs } from '../../platform/foundation/clock.ts'

/** Messages of an order within this time are merged into one. */
const mergeMs = 10 * minuteMs

/** The facts that decide about a message, as the store has them. */
export interface TimingFacts {
  /** Whether the group of the message never waits. */
  isUrgent: boolean
  /** Messages about parcels are merged; others, such as those about claims, are not. */
  isAboutParcels: boolean
  /** Somebody asked for it to be sent again. */
  isResent: boolean
  /** Whether a later message about parcels of the order is queued, or was sent. */
  hasNewer: boolean
  /** The time the last message about parcels of the order was sent. */
  lastAt: Date | null
  /** The customer's. */
  timeZone: string
  /** Undefined: the shop has no quiet hours. */
  quiet: QuietHours | undefined
}

export interface QuietHours {
  /** 21:00. */
  from: string
  to: string
}

export type Turn = { turn: 'send' } | { turn: 'wait'; until: Date } | { turn: 'skip'; reason: string }

const mergedReason = 'merged into a later message'

/**
 * Whether a message may be sent now. The first one about an order's parcels is sent at once, even at night: the
 * customer has just ordered. Later ones wait until ten minutes after the one before, and for the morning; of several
 * that wait, only the newest is sent.
 */
export function decideTurn(facts: TimingFacts, now: Date): Turn {
  if (facts.isUrgent || facts.isResent) return { turn: 'send' }
  if (facts.isAboutParcels) {
    if (facts.hasNewer) return { turn: 'skip', reason: mergedReason }
    if (facts.lastAt === null) return { turn: 'send' }
  }
  const mergedAt = facts.isAboutParcels && facts.lastAt ? after(facts.lastAt, mergeMs) : now
  const earliest = mergedAt > now ? mergedAt : now
  const until = (facts.quiet && quietUntil(facts.quiet, facts.timeZone, earliest)) ?? earliest
  return until > now ? { turn: 'wait', until } : { turn: 'send' }
}

/** The end of the quiet hours that this instant is in. */
export function quietUntil({ from, to }: QuietHours, timeZone: string, at: Date): Date | undefined {
  const [fromMs, toMs] = [msOfDay(from), msOfDay(to)]
  const local = localTimeIn(timeZone, at)
  const passedMs = local % dayMs
  const midnight = local - passedMs
  const isQuiet = fromMs < toMs ? passedMs >= fromMs && passedMs < toMs : passedMs >= fromMs || passedMs < toMs
  if (fromMs === toMs || !isQuiet) return undefined
  const until = instantIn(timeZone, passedMs < toMs ? midnight + toMs : midnight + dayMs + toMs)
  // A clock change may skip the end of the quiet hours.
  return until > at ? until : undefined
}

function msOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * minuteMs
}
