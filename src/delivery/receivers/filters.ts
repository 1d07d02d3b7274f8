import { atRisk, findMeaning, phases } from '../../platform/catalogue/catalogue.ts'

/** Whether an endpoint can listen to it: everything, a source, a phase, parcels at risk, or one event. */
export function isEventFilter(filter: string): boolean {
  const [source, detail, name, ...rest] = filter.split('/')
  if (rest.length > 0) return false
  if (source === '*' || (source === 'claims' && detail !== undefined)) {
    return source === '*' ? detail === undefined : name === undefined && (detail === 'created' || detail === 'updated')
  }
  if (source === 'claims') return true
  if (source !== 'shipments') return false
  if (detail === undefined || atRiskFilters.includes(filter)) return true
  if (!(phases as readonly string[]).includes(detail)) return false
  return name === undefined || findMeaning(name)?.phase === detail
}

const atRiskFilters = filtersOf(atRisk.ref)

/** Every filter that an event with this ref passes: `shipments/delivered/X` passes *, shipments, shipments/delivered … */
export function filtersOf(ref: string): string[] {
  const parts = ref.split('/')
  return ['*', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))]
}
