import { describe, expect, it } from 'vitest'
import { callsAt } from '../../web/dashboard/early/calls.ts'

const pathsAt = (path: string, lastShop: string | null = null) => callsAt(path, {}, lastShop).map(([path]) => path)

describe('calls that a page of the dashboard makes first', () => {
  it('are known by its address', () => {
    expect(callsAt('/a-shop/orders/17', {}, null)).toEqual([
      ['/v1/session'],
      ['/v1/shops/{slug}/orders/{order_id}', { params: { path: { slug: 'a-shop', order_id: '17' } } }],
      ['/v1/shops/{slug}/orders/{order_id}/timeline', { params: { path: { slug: 'a-shop', order_id: '17' } } }],
    ])
  })

  it('follow what is chosen in the address', () => {
    const [, list] = callsAt('/a-shop/claims', { view: 'closed', reason: 'damage', page: '2' }, null)
    expect(list?.[1]?.params?.query).toEqual({
      status: 'closed',
      reason: 'damage',
      page: 2,
      sort: '-updated_at',
      per_page: 30,
    })
  })

  it('are those of Home in the shop used last, where the address names none', () => {
    expect(pathsAt('/', 'my-shop')).toEqual(pathsAt('/my-shop'))
    expect(pathsAt('/')).toEqual(['/v1/session'])
  })

  it.each(['/account', '/sign-in', '/a-shop/no-such-place', '/a-shop/constructor', '/a-shop/settings/keys'])(
    'are who is signed in, and no guess, at %s',
    (path) => expect(pathsAt(path)).toEqual(['/v1/session']),
  )

  it('prefer a name to a place for any', () => {
    expect(pathsAt('/a-shop/claims/reasons')).toContain('/v1/shops/{slug}/claims/figures')
    expect(pathsAt('/a-shop/claims/17')).toContain('/v1/shops/{slug}/claims/{uuid}')
  })
})
