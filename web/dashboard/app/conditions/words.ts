import { useQuery } from '@tanstack/react-query'
import { formatCountry, formatNumber, formatTime } from '../../kit/format.ts'
import { hasText, t } from '../../texts/texts.ts'
import { read } from '../api.ts'
import { useSlug } from '../session.ts'
import { useCarrierName, useEventWords } from '../words.tsx'
import { type DraftCondition, type Field, takesList, takesNothing } from './draft.ts'

/** The fields that conditions can read; they change with a new version of the service only. */
export function useFields(): readonly Field[] {
  const slug = useSlug()
  const query = read('/v1/shops/{slug}/automations/fields', { params: { path: { slug } } })
  const { data = [] } = useQuery({ ...query, staleTime: Number.POSITIVE_INFINITY })
  return data
}

/** A field that events of claims and of parcels both have is found by its path. */
export function findField(fields: readonly Field[], path: string): Field | undefined {
  return fields.find(({ field }) => field === path)
}

export function fieldWords(path: string): string {
  const key = `automations.field.${path.replaceAll('.', '_')}`
  return hasText(key) ? t(key) : path
}

/** The words for a value of a field. */
export function useValueWords(): (field: Field | undefined, value: string) => string {
  const eventWords = useEventWords()
  const carrierName = useCarrierName()
  return (field, value) => {
    if (field === undefined) return value
    if (field.type === 'country') return formatCountry(value)
    if (field.type === 'carrier') return carrierName(value)
    if (field.type === 'time') return Number.isNaN(Date.parse(value)) ? value : formatTime(value)
    if (field.type === 'number') return formatNumber(Number(value), 2)
    if (field.type === 'boolean') return t(value === 'true' ? 'automations.yes' : 'automations.no')
    if (field.type !== 'choice') return value
    if (field.field.endsWith('event_name')) return eventWords(value)
    const keys = [`phase.${value}`, `flag.${value}`, `messages.directions.${value}`, `automations.value.${value}`]
    const key = keys.find(hasText)
    return key ? t(key) : value
  }
}

/** A condition as text: "the country is Germany or Austria". */
export function useConditionWords(): (condition: DraftCondition) => string {
  const fields = useFields()
  const valueWordsOf = useValueWords()
  return ({ field: path, operator, value, list }) => {
    const field = findField(fields, path)
    const name = fieldWords(path)
    if (takesNothing(operator)) return t(`automations.says.${operator}`, { field: name })
    const values = takesList(operator) ? list : [value]
    const words = values.map((each) => valueWordsOf(field, each))
    const said =
      words.length > 1
        ? t('automations.or', { first: words.slice(0, -1).join(', '), last: words.at(-1) ?? '' })
        : (words[0] ?? '')
    const isTime = field?.type === 'time' && ['gt', 'gte', 'lt', 'lte'].includes(operator)
    const isBefore = operator === 'lt' || operator === 'lte'
    if (isTime) return t(isBefore ? 'automations.says.before' : 'automations.says.after', { field: name, value: said })
    return t(`automations.says.${operator}`, { field: name, value: said })
  }
}
