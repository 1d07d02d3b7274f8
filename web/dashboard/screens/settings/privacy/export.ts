import type { Schemas } from 'doorstep-client'
import { api } from '../../../app/api.ts'

type CustomerExport = Schemas['CustomerExport']

/** The whole export, however many responses it takes. */
export async function exportEverything(slug: string, email: string): Promise<CustomerExport> {
  const path = '/v1/shops/{slug}/privacy/export'
  const params = { path: { slug } }
  let part: CustomerExport = await api.post(path, { params, body: { email } })
  const whole = part
  while (part.continue_after !== null) {
    part = await api.post(path, { params, body: { email, after: part.continue_after } })
    whole.orders.push(...part.orders)
  }
  return { ...whole, is_complete: true, continue_after: null }
}
