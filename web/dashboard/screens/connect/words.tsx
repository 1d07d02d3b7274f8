import { labelOf } from '../../app/systems.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { hasText, t } from '../../texts/texts.ts'
import type { State } from './data.ts'

export function nameOf(system: string): string {
  if (system === 'sandbox') return t('connect.sandbox')
  if (system === 'smtp') return t('connect.smtp.name')
  return labelOf(system)
}

/** The name of the side that responds to a check: for e-mail, the server. */
export function speakerOf(system: string): string {
  return system === 'smtp' ? t('connect.smtp.speaker') : nameOf(system)
}

const tones: Record<State, Tone> = { none: 'neutral', incomplete: 'late', connected: 'good', failing: 'wrong' }

export function StateBadge({ state }: { state: State }) {
  return <Badge tone={tones[state]}>{t(`connect.state.${state}`)}</Badge>
}

/** The title of a problem. `problemHint` has the advice; a system may have its own. */
export function problemTitle(key: string, system: string): string {
  const name = `connect.result.${key}`
  return hasText(name)
    ? t(name, { system: speakerOf(system) })
    : t('connect.result.unexpected', { system: speakerOf(system) })
}

export function problemHint(key: string, system: string): string {
  const own = `connect.hint_for.${system}.${key}`
  if (hasText(own)) return t(own)
  const general = `connect.hint.${key}`
  return hasText(general) ? t(general, { system: nameOf(system) }) : ''
}

/** The hint for a wrong address, with the right one if it is known; undefined if the address is not the reason. */
export function reasonHint(reason: string | null, address: string | null, system: string): string | undefined {
  if (reason === null) return undefined
  const known = `connect.reason.${reason}.address`
  if (address !== null && hasText(known)) return t(known, { address, system: nameOf(system) })
  const general = `connect.reason.${reason}.general`
  return hasText(general) ? t(general, { system: nameOf(system) }) : undefined
}
