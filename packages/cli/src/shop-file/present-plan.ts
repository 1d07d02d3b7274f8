import type { Paints } from '../frame/output.ts'
import type { FieldChange } from './compare.ts'
import type { Change, ShopPlan } from './plan.ts'
import { shown } from './problems.ts'
import type { Secrets } from './secrets.ts'

const signs = { create: '+', update: '~', delete: '-' } as const

/** The plan as text for people: the changes, shop by shop. */
export function planText(plans: readonly ShopPlan[], secrets: Secrets, paint: Paints): string {
  const sections = plans
    .filter(({ changes, kept }) => changes.length > 0 || kept.length > 0)
    .map((plan) => shopText(plan, secrets, paint))
  return [...sections, summaryText(plans)].join('\n\n')
}

/** One line about all shops. */
export function summaryText(plans: readonly ShopPlan[]): string {
  const changes = plans.flatMap((plan) => plan.changes)
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  const kept = plans.flatMap((plan) => plan.kept).length
  const shops = plans.length === 1 ? 'The shop' : `All ${plans.length} shops`
  const others =
    kept === 0
      ? ''
      : ` ${kept} more ${kept === 1 ? 'is' : 'are'} in the shop only; --delete would delete ${kept === 1 ? 'it' : 'them'}.`
  if (changes.length === 0)
    return `${shops} ${plans.length === 1 ? 'is' : 'are'} as the file says: nothing to change.${others}`
  const affected = plans.filter((plan) => plan.changes.length > 0).length
  const where = plans.length === 1 ? '' : ` in ${affected} of ${plans.length} shops`
  return `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete${where}.${others}`
}

function shopText({ shop, changes, kept }: ShopPlan, secrets: Secrets, paint: Paints): string {
  const lines = changes.flatMap((change) => [
    `  ${coloured(change, paint)}`,
    ...change.fields.map((field) => `      ${fieldText(field, change, secrets, paint)}`),
  ])
  const others = kept.map(({ kind, name }) => paint.dim(`  ? ${kind} ${name} is not in the file, and stays`))
  return secrets.redact([paint.bold(shop), ...lines, ...others].join('\n'))
}

/** `+ campaign "Winter"` */
export function changeText({ action, kind, name }: Change): string {
  return `${signs[action]} ${kind} ${name}`
}

function coloured(change: Change, paint: Paints): string {
  const colour = { create: paint.green, update: paint.yellow, delete: paint.red }[change.action]
  return colour(changeText(change))
}

function fieldText({ field, from, to }: FieldChange, { action }: Change, secrets: Secrets, paint: Paints): string {
  const text = (each: unknown) => valueText(secrets.redactAll(each))
  if (action === 'create') return `${field}: ${text(to)}`
  if (Array.isArray(from) && Array.isArray(to)) return listText(field, from.map(text), to.map(text), paint)
  return `${field}: ${paint.dim(text(from))} → ${text(to)}`
}

/** The items that come and go; all of them if only their order changes. */
function listText(field: string, from: readonly string[], to: readonly string[], paint: Paints): string {
  const gone = from.filter((item) => !to.includes(item))
  const added = to.filter((item) => !from.includes(item))
  if (gone.length + added.length === 0) return `${field}: ${paint.dim(`[${from}]`)} → [${to}]`
  const lines = [...gone.map((item) => paint.red(`- ${item}`)), ...added.map((item) => paint.green(`+ ${item}`))]
  return [`${field}:`, ...lines.map((line) => `        ${line}`)].join('\n')
}

const maxValueLength = 100

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength - 1)}…` : text
}

/** The plan for programs. */
export function planJson(plans: readonly ShopPlan[], secrets: Secrets) {
  const shops = plans.map(({ shop, changes, kept }) => ({
    shop,
    changes: changes.map((change) => changeJson(change, secrets)),
    not_in_file: kept,
  }))
  return { has_changes: plans.some(({ changes }) => changes.length > 0), shops }
}

export function changeJson({ action, kind, name, fields, place }: Change, secrets: Secrets) {
  return {
    action,
    kind,
    name: secrets.redact(name),
    place: place ? shown(place) : null,
    fields: fields.map(({ field, from, to }) => ({
      field,
      from: secrets.redactAll(from ?? null),
      to: secrets.redactAll(to ?? null),
    })),
  }
}
