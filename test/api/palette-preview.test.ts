import { beforeAll, describe, expect, it } from 'vitest'
import { languages, languageTag } from '../../src/platform/foundation/languages.ts'
import { contrast } from '../../src/shops/settings/contrast.ts'
import { hueOf } from '../../src/shops/settings/hue.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const path = '/settings/brand-palette'

let shop: TestShop

beforeAll(async () => {
  shop = await makeShop({ name: 'River <& Pine>', language: 'de' })
})

describe('preview of the tracking page', () => {
  const preview = (query: Record<string, string> = {}) => shop.as('viewer').get(`${path}/preview`, query)

  it('is a page that only our own pages may frame, without scripts', async () => {
    const { status, headers, text } = await preview()
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(headers['cache-control']).toBe('no-store')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toContain('script-src')
    expect(text).toContain('<body inert>')
    expect(text).not.toContain('<script')
    expect(text).toContain('River &lt;&amp; Pine&gt;')
    expect(text).toContain('Regenjacke')
  })

  it('shows colours that are not saved, and saves none', async () => {
    const before = (await shop.as('viewer').get(path)).body
    const { text } = await preview({ background: '#FFF8E7', primary_dark: '#123456' })
    expect(text).toContain('--page:#fff8e7')
    expect(text).toContain('--accent:#123456')
    expect((await shop.as('viewer').get(path)).body).toEqual(before)
    await shop.as('admin').patch(path, { background: '#F0FFF0' })
    expect((await preview()).text).toContain('--page:#f0fff0')
    expect((await preview({ background: '#FFF8E7' })).text).toContain('--page:#fff8e7')
  })

  it('shows one mode at a time, whatever the browser prefers', async () => {
    const light = (await preview({ scheme: 'light' })).text
    const dark = (await preview({ scheme: 'dark' })).text
    expect(light).toContain('<meta name="color-scheme" content="light">')
    expect(dark).toContain('<meta name="color-scheme" content="dark">')
    for (const text of [light, dark]) expect(text).not.toContain('prefers-color-scheme:dark')
  })

  it.each(languages)('is complete in %s', async (language) => {
    const { status, text } = await preview({ language })
    expect(status).toBe(200)
    expect(text).toContain(`<html lang="${languageTag(language)}">`)
  })

  it('rejects what is not a colour, a language or a mode', async () => {
    const wrong: Record<string, string>[] = [
      { background: 'red' },
      { surface: '#12345' },
      { language: 'xx' },
      { scheme: 'x' },
    ]
    for (const query of wrong) {
      expect((await preview(query)).status, JSON.stringify(query)).toBe(422)
    }
    const { text } = await preview({ background: '#ffffff"></style><script>alert(1)</script>' })
    expect(text).not.toContain('<script')
  })
})

describe('contrast of a palette', () => {
  const check = async (query: Record<string, string> = {}) => {
    const { status, body, text } = await shop.as('viewer').get(`${path}/contrast`, query)
    if (status !== 200) throw new Error(text)
    return body.pairs
  }
  interface Pair {
    color: string
    given: string
    shown: string
    passes: boolean
    ratio: number
    needed: number
  }

  it('is enough for the defaults', async () => {
    const other = await makeShop()
    const { pairs } = (await other.as('viewer').get(`${path}/contrast`)).body
    expect(pairs.map(({ color }: Pair) => color).sort()).toEqual(
      Object.keys((await other.as('viewer').get(path)).body).sort(),
    )
    for (const pair of pairs) expect(pair, pair.color).toMatchObject({ passes: true, shown: pair.given, change: null })
  })

  it('says in words what is hard to read, and what the page shows instead', async () => {
    const [primary] = await check({ primary_dark: '#F2C200', background: '#FFFFFF', surface: '#FFFFFF' })
    expect(primary).toMatchObject({
      color: 'primary_dark',
      given: '#f2c200',
      hue: 'yellow',
      needed: 4.5,
      passes: false,
      change: 'darkened',
    })
    expect(primary.ratio).toBeLessThan(2)
    expect(contrast(primary.shown, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(primary.hint).toBe(
      `Text in this yellow on the light primary colour is hard to read: ${primary.ratio} to 1; 4.5 is needed. The page darkens it to ${primary.shown}.`,
    )
  })

  it('judges backgrounds by the text on them', async () => {
    const pairs: Pair[] = await check({ background: '#808080', surface: '#333333' })
    const of = (name: string) => pairs.find(({ color }) => color === name)
    expect(of('background')).toMatchObject({ passes: false, needed: 9, hue: 'grey' })
    expect(of('surface')).toMatchObject({ passes: false, needed: 5 })
  })

  it('passes exactly where the page shows the colour as it is given', async () => {
    const colors = ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#777777', '#f2c200', '#1f3a5f', '#ffeedd']
    for (const primary_dark of colors) {
      for (const surface of colors) {
        for (const pair of await check({ primary_dark, surface })) {
          expect(pair.passes, JSON.stringify(pair)).toBe(pair.ratio >= pair.needed)
        }
      }
    }
  })

  it('names colours as people do', () => {
    const named = Object.entries({
      '#000000': 'black',
      '#ffffff': 'white',
      '#808080': 'grey',
      '#d02020': 'red',
      '#f2c200': 'yellow',
      '#f08000': 'orange',
      '#6b3410': 'brown',
      '#208040': 'green',
      '#1f3a5f': 'blue',
      '#20b0b0': 'turquoise',
      '#6020a0': 'purple',
      '#f060b0': 'pink',
    })
    expect(named.map(([color]) => [color, hueOf(color)])).toEqual(named)
  })
})
