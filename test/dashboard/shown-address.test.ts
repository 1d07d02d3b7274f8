import { describe, expect, it } from 'vitest'
import { shownAddress } from '../../web/dashboard/screens/messages/shown-address.ts'

describe('address of an endpoint', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example/hook', 'https://shop.example/***'],
    ['https://shop.example/?token=secret', 'https://shop.example/***'],
    ['https://hooks.example/services/T024BE7LH/B8K3/x7Kq9mPz', 'https://hooks.example/***9mPz'],
    ['https://user:secret@shop.example:8443/', 'https://shop.example:8443/***'],
    ['no address', '***'],
  ])('%s is shown as %s', (url, shown) => {
    expect(shownAddress(url)).toBe(shown)
  })
})
