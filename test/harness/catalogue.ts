import type { Reply } from './service.ts'
import type { ShopCaller } from './shop.ts'

/** The id of the record that a create operation's Location names. */
export function idIn(reply: Reply): string {
  if (reply.status !== 200) throw new Error(reply.text)
  return String(reply.headers.location).split('/').at(-1) ?? ''
}

/** Creates a discount and returns its id. */
export async function createDiscount(
  shop: ShopCaller,
  fields: Record<string, unknown> = { type: 'order' },
): Promise<string> {
  return idIn(await shop.post('/discounts', fields))
}

/** The problems of a rejected request: `body.value type_error`. */
export function placesOf(body: { errors: { loc: (string | number)[]; type: string }[] }): string[] {
  return body.errors.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()
}
