import type { Schemas } from 'doorstep-client'
import { integrationLabel, isIntegration } from '../../app/integration-words.ts'
import { formatList } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'

export type Trigger = Schemas['InternalTrigger']

/** The name of a trigger's receiver, as people know it. */
export function receiverName(receiver: string): string {
  return isIntegration(receiver) ? integrationLabel(receiver) : t('messages.your_webhooks')
}

const hoursInDay = 24

/** "3 days", "36 hours". */
export function hoursInWords(hours: number): string {
  return hours > 0 && hours % hoursInDay === 0
    ? t('messages.days', { count: hours / hoursInDay })
    : t('messages.hours', { count: hours })
}

/** How long something has lasted: whole days beyond two of them. */
export function durationInWords(hours: number): string {
  return hours >= 2 * hoursInDay
    ? t('messages.days', { count: Math.floor(hours / hoursInDay) })
    : t('messages.hours', { count: hours })
}

/** The condition of a trigger, in one sentence. */
export function conditionWords(trigger: Trigger): string {
  const time = t(`messages.condition.${trigger.time_threshold_type}`, {
    duration: hoursInWords(trigger.time_threshold_value),
  })
  const phases = trigger.phase_in.map((phase) => t(`phase.${phase}`))
  return phases.length === 0 ? time : t('messages.condition_phases', { phases: formatList(phases), time })
}
