import type { Schemas } from 'doorstep-client'
import { type DraftCondition, type Field, nextKey, toCondition, toDraftCondition } from '../../app/conditions/draft.ts'

export type StoredAutomation = Schemas['Automation']
export type Action = Schemas['AutomationActionInput']
export type ActionType = Action['type']
export type DraftAction = Action & { key: number }

export const delayUnits = { minutes: 1, hours: 60, days: 24 * 60 } as const
export type DelayUnit = keyof typeof delayUnits

/** An automation while it is edited. */
export interface AutomationDraft {
  name: string
  description: string
  events: string[]
  conditions: DraftCondition[]
  delay: string
  unit: DelayUnit
  actions: DraftAction[]
}

export function emptyDraft(): AutomationDraft {
  return { name: '', description: '', events: [], conditions: [], delay: '0', unit: 'hours', actions: [] }
}

export function toDraft(stored: StoredAutomation): AutomationDraft {
  const { delay_minutes: minutes } = stored
  const unit: DelayUnit =
    minutes % delayUnits.days === 0 ? 'days' : minutes % delayUnits.hours === 0 ? 'hours' : 'minutes'
  return {
    name: stored.name,
    description: stored.description ?? '',
    events: stored.trigger.events,
    conditions: stored.conditions.map(toDraftCondition),
    delay: String(minutes / delayUnits[minutes === 0 ? 'hours' : unit]),
    unit: minutes === 0 ? 'hours' : unit,
    actions: stored.actions.map((action) => ({ ...action, key: nextKey() })),
  }
}

export function delayMinutes({ delay, unit }: Pick<AutomationDraft, 'delay' | 'unit'>): number {
  return Math.round(Number(delay) * delayUnits[unit]) || 0
}

function toActions(actions: readonly DraftAction[]): Action[] {
  return actions.map(({ key: _key, ...action }) => action)
}

/** The parts of a draft that a dry run and the store need. A dry run leaves out incomplete conditions. */
export function toWrite(draft: AutomationDraft, fieldOf: (condition: DraftCondition) => Field | undefined) {
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    trigger: { events: draft.events },
    conditions: draft.conditions.map((condition) => toCondition(condition, fieldOf(condition))),
    delay_minutes: delayMinutes(draft),
    actions: toActions(draft.actions),
  }
}
