import type { Payload } from '../../harness/shop-systems.ts'

interface Filter {
  type: string
  field?: string
  operator?: string
  value?: string
  parameters?: Record<string, string>
  queries?: Filter[]
}

export interface EntitySearch {
  page?: number
  limit?: number
  filter?: Filter[]
  sort?: { field: string; order?: string }[]
}

/** The search criteria of Shopware's Admin API, as far as we use them; anything else throws. */
export function searchEntities(entities: Payload[], criteria: EntitySearch): { total: number; page: Payload[] } {
  const { page = 1, limit = 100, filter = [], sort = [] } = criteria
  if (limit < 1 || limit > 500) throw new Error('limit must be between 1 and 500')
  const found = entities.filter((entity) => filter.every((one) => matches(entity, one)))
  found.sort((left, right) => {
    for (const { field, order } of sort) {
      const [first, second] = [comparable(left[field]), comparable(right[field])]
      if (first !== second) return (first < second ? -1 : 1) * (order === 'DESC' ? -1 : 1)
    }
    return 0
  })
  return { total: found.length, page: found.slice((page - 1) * limit, page * limit) }
}

function matches(
  entity: Payload,
  { type, field = '', value = '', parameters = {}, queries = [], operator }: Filter,
): boolean {
  const [association = '', inner] = field.split('.')
  if (inner === undefined && entity[association] === undefined && field !== '')
    throw new Error(`the entity has no field ${field}`)
  switch (type) {
    case 'range': {
      // One of the associated entities is enough.
      const values =
        inner === undefined ? [entity[field]] : (entity[association] ?? []).map((one: Payload) => one[inner])
      return values.some((value: unknown) =>
        Object.entries(parameters).every(([comparison, limit]) => {
          if (value === null || value === undefined) return false
          if (comparison === 'gte') return comparable(value) >= comparable(limit)
          if (comparison === 'lte') return comparable(value) <= comparable(limit)
          throw new Error(`${comparison} is not used`)
        }),
      )
    }
    case 'multi':
      if (operator !== 'or') throw new Error('only "or" is used')
      return queries.some((query): boolean => matches(entity, query))
    case 'equalsAny':
      return value.split('|').includes(String(entity[field]))
    case 'not':
      if (operator !== 'and') throw new Error('only "and" is used')
      return !queries.every((query): boolean => matches(entity, query))
    default:
      throw new Error(`the filter ${type} is not used`)
  }
}

/** Times are compared as instants, whatever their offset. */
function comparable(value: unknown): number | string {
  const text = String(value)
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : text
}
