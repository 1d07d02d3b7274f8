import { describe, expect, it } from 'vitest'
import { drawMap } from '../../src/customer-page/order/map.ts'

const leipzig = { name: 'Leipzig', longitude: 12.37, latitude: 51.34 }
const berlin = { name: 'Berlin', longitude: 13.4, latitude: 52.52 }
const madrid = { name: 'Madrid', longitude: -3.7, latitude: 40.42 }
const newark = { name: 'Newark', longitude: -74.17, latitude: 40.74 }
const sydney = { name: 'Sydney', longitude: 151.21, latitude: -33.87 }
const losAngeles = { name: 'Los Angeles', longitude: -118.24, latitude: 34.05 }

const circles = (svg: string) =>
  [...svg.matchAll(/<circle class="(\w+)" cx="(-?\d+)" cy="(-?\d+)"/g)].map(([, kind, x, y]) => ({
    kind,
    x: Number(x),
    y: Number(y),
  }))

describe('map', () => {
  it.each([
    ['one place', [berlin]],
    ['two towns', [leipzig, berlin]],
    ['a continent', [leipzig, madrid]],
    ['an ocean', [leipzig, newark]],
    ['the 180th meridian', [sydney, losAngeles]],
    ['once around', [berlin, sydney, losAngeles, newark]],
  ])('of %s is small, and shows every stop', (_case, stops) => {
    const { html } = drawMap(stops)
    expect(html.length).toBeLessThan(10_000)
    const drawn = circles(html)
    expect(drawn).toHaveLength(stops.length)
    for (const { x, y } of drawn) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThanOrEqual(640)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(300)
    }
    expect(drawn.at(-1)?.kind).toBe('here')
    expect(html).toMatch(/<path class="land" d="M-?\d/)
  })

  it('has east on the right and north on top', () => {
    const [from, to] = circles(drawMap([madrid, berlin]).html)
    expect(to?.x).toBeGreaterThan(from?.x ?? 0)
    expect(to?.y).toBeLessThan(from?.y ?? 0)
    // Over the Pacific, America lies east of Australia.
    const [australia, america] = circles(drawMap([sydney, losAngeles]).html)
    expect(america?.x).toBeGreaterThan(australia?.x ?? 0)
  })
})
