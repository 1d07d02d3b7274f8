import type { RowOf } from '../../../app/api.ts'
import { formatNumber, formatTime } from '../../../kit/format.ts'
import { hasText, t } from '../../../texts/texts.ts'

export type Entry = RowOf<'/v1/shops/{slug}/audit-log'>
type Change = Entry['changes'][string]

/** The kinds of subject in the log; the texts have a word for each. */
export const subjectKinds = [
  'webhook',
  'credentials',
  'settings',
  'trigger_settings',
  'internal_trigger',
  'automation',
  'api_key',
  'order',
  'shipment',
  'claim',
  'exception',
  'note',
  'campaign',
  'ab_test',
  'announcement',
  'deal',
  'discount',
  'carrier_code',
  'customer',
  'import',
  'delivery',
  'shop',
  'shop_system_webhook',
  'shopware_app',
  'webhook_secret',
] as const

/** The changed subject: "Webhook", "Brand colours". */
function kindWords({ kind, id }: Entry['subject']): string {
  const settings = `audit.settings.${id}`
  if (kind === 'settings' && hasText(settings)) return t(settings)
  return kindLabel(kind)
}

export function kindLabel(kind: string): string {
  const key = `audit.kind.${kind}`
  return hasText(key) ? t(key) : sentence(kind.replaceAll('_', ' '))
}

/** The change in a few words: "Webhook changed". */
export function actionWords({ action, subject }: Pick<Entry, 'action' | 'subject'>): string {
  const key = `audit.action.${action}`
  return hasText(key) ? t(key) : `${kindWords(subject)} ${verbWords(action)}`
}

/** "changed", "created": the operation's name begins with its verb. */
function verbWords(action: string): string {
  const verb = /^[a-z]+/.exec(action)?.[0] ?? ''
  const key = `audit.verb.${verb}`
  return hasText(key) ? t(key) : t('audit.verb.other', { action })
}

/** The name of the subject, or its id if people know it. */
export function subjectName({ kind, id, name }: Entry['subject']): string | undefined {
  if (name !== null) return name
  return ['credentials', 'trigger_settings', 'carrier_code', 'product'].includes(kind) ? (id ?? undefined) : undefined
}

export function actorWords({ kind, name }: Entry['actor']): string {
  return name ?? t(`audit.actor.${kind}`)
}

/** `address.zip_code` as "Address › zip code"; common fields have words of their own. */
export function fieldWords(field: string): string {
  const key = `audit.fields.${field}`
  return hasText(key) ? t(key) : sentence(field.replaceAll('_', ' ').replaceAll('.', ' › '))
}

/** A value as a person would write it. */
export function valueWords(value: Change['before']): string {
  if (value === null || value === undefined || value === '') return t('audit.value.none')
  if (value === '[personal data]') return t('audit.value.personal')
  if (value === '****') return t('audit.value.secret')
  if (typeof value === 'boolean') return t(value ? 'audit.value.yes' : 'audit.value.no')
  if (typeof value === 'number') return formatNumber(value, 6)
  if (typeof value === 'string') return isTime(value) ? formatTime(value) : value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 0 ? t('audit.value.none') : value.join(', ')
  }
  return JSON.stringify(value)
}

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
