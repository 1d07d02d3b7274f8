import { hourMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import { normaliseNumber } from './normalise.ts'

export const sandboxJourneys = [
  'DELIVERED',
  'DELAYED',
  'LOST',
  'RETURNED',
  'NEIGHBOR',
  'LOCKER',
  'FAILED',
  'LETTERBOX',
] as const
export type SandboxJourney = (typeof sandboxJourneys)[number]

/**
 * SBX-<JOURNEY>-<STEP>-<anything>, normalised: upper case, without hyphens. A step is at least one second and at most
 * 99,999 S, 9,999 M or 99 H, so that a journey ends within two months.
 */
export const sandboxNumber = new RegExp(
  `^SBX(${sandboxJourneys.join('|')})(?:([1-9]\\d{0,4})(S)|([1-9]\\d{0,3})(M)|([1-9]\\d?)(H)).+$`,
)

/** The parts of a sandbox number; undefined for any other number. */
export function readSandboxNumber(trackingNumber: string): { journey: SandboxJourney; stepMs: number } | undefined {
  const found = sandboxNumber.exec(normaliseNumber(trackingNumber))
  const [, journey, ...step] = found ?? []
  const [count, unit = ''] = step.filter((part) => part !== undefined)
  const known = sandboxJourneys.find((name) => name === journey)
  return known === undefined ? undefined : { journey: known, stepMs: Number(count) * (unitMs[unit] ?? secondMs) }
}

const unitMs: Record<string, number> = { S: secondMs, M: minuteMs, H: hourMs }
