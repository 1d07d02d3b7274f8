import { isComplete } from '../../app/conditions/draft.ts'
import { useConditionWords } from '../../app/conditions/words.ts'
import { useFilterWords } from '../../app/event-picker.tsx'
import { integrationLabel, isIntegration } from '../../app/integration-words.ts'
import { formatList } from '../../kit/format.ts'
import { hasText, t } from '../../texts/texts.ts'
import { type Action, type AutomationDraft, delayMinutes, delayUnits } from './draft.ts'

function integrationName(name: string | null | undefined): string {
  return name && isIntegration(name) ? integrationLabel(name) : (name ?? '')
}

export function valueWords(value: string): string {
  const key = `automations.value.${value}`
  return hasText(key) ? t(key) : value
}

/** The effect of an action, as text that follows "then". */
export function actionWords(action: Action): string {
  switch (action.type) {
    case 'notify':
      return t('automations.do.notify', { name: integrationName(action.integration) })
    case 'webhook':
      return t('automations.do.webhook', { host: hostOf(action.url ?? '') })
    case 'add_segment':
      return t('automations.do.add_segment', { segment: action.segment ?? '' })
    case 'update_claim':
      return t('automations.do.update_claim', { status: valueWords(action.status ?? '') })
    case 'create_claim':
      return t('automations.do.create_claim', { reason: valueWords(action.reason ?? '') })
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return '…'
  }
}

/** "2 hours"; nothing without a delay. */
function delayWords(minutes: number): string | undefined {
  if (minutes === 0) return undefined
  if (minutes % delayUnits.days === 0) return t('automations.days', { count: minutes / delayUnits.days })
  if (minutes % delayUnits.hours === 0) return t('automations.hours', { count: minutes / delayUnits.hours })
  return t('automations.minutes', { count: minutes })
}

/** The whole automation as one plain sentence. */
export function useSentence(): (
  draft: Pick<AutomationDraft, 'events' | 'conditions' | 'delay' | 'unit'> & { actions: readonly Action[] },
) => string {
  const filterWords = useFilterWords()
  const conditionWords = useConditionWords()
  return (draft) => {
    if (draft.events.length === 0) return t('automations.sentence_no_event')
    const delay = delayWords(delayMinutes(draft))
    const steps = [...(delay ? [t('automations.wait', { delay })] : []), ...draft.actions.map(actionWords)]
    const events = draft.events.includes('*')
      ? t('automations.anything')
      : t('automations.quoted', { words: filterWords(draft.events) })
    const then = draft.actions.length === 0 ? t('automations.do.nothing') : steps.join(`, ${t('automations.then')} `)
    const conditions = draft.conditions.filter(isComplete).map(conditionWords)
    if (conditions.length === 0) return t('automations.sentence', { events, steps: then })
    return t('automations.sentence_if', { events, conditions: formatList(conditions), steps: then })
  }
}

/** The event of a ref, as text. */
export function refWords(ref: string, eventWords: (name: string) => string): string {
  if (ref === 'claims/created') return t('messages.claim_created')
  if (ref.startsWith('claims')) return t('messages.claim_updated')
  if (ref.startsWith('shipments/at_risk')) return t('messages.at_risk_event')
  return eventWords(ref.split('/').at(-1) ?? ref)
}
