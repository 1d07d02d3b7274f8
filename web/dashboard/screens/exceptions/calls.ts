import { call } from '../../app/call.ts'
import { type ExceptionSearch, sorts } from './search.ts'

export const perPage = 30

export function exceptionsCall(slug: string, { columns: _columns, q: _q, ...search }: ExceptionSearch) {
  const sort = sorts.find((name) => name === search.sort)
  return call('/v1/shops/{slug}/exceptions', {
    params: { path: { slug }, query: { ...search, sort, per_page: perPage } },
  })
}
