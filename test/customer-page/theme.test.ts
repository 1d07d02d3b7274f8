import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { controlRatio, schemesOf, textRatio } from '../../src/shops/settings/color-scheme.ts'
import { contrast, readable } from '../../src/shops/settings/contrast.ts'
import { CaseCounter } from '../harness/cases.ts'

const color = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`)
const palette = fc.record({
  primary_dark: color,
  primary_light: color,
  secondary_dark: color,
  secondary_light: color,
  background: color,
  surface: color,
})
type Palette = typeof palette extends fc.Arbitrary<infer Value> ? Value : never

const paletteOf = (background: string, other: string): Palette => ({
  primary_dark: other,
  primary_light: other,
  secondary_dark: other,
  secondary_light: other,
  background,
  surface: other,
})

/** One colour for all, and the greys of which neither black nor white is far away. */
const awkwardPalettes: [Palette][] = [
  '#000000',
  '#ffffff',
  '#777777',
  '#767676',
  '#595959',
  '#ff0000',
  '#ffff00',
].flatMap((background): [Palette][] => [
  [paletteOf(background, background)],
  [paletteOf(background, '#777777')],
  [paletteOf(background, '#000000')],
  [paletteOf(background, '#ffffff')],
])

const paletteCases = new CaseCounter<Palette>({
  'a dark page': ({ background }) => contrast(background, '#ffffff') > 9,
  'a light page': ({ background }) => contrast(background, '#000000') > 9,
  'a page in the middle': ({ background }) =>
    contrast(background, '#000000') < 9 && contrast(background, '#ffffff') < 9,
  'a brand colour that is the page': ({ background, primary_dark }) => background === primary_dark,
  'a card that is unlike its page': ({ background, surface }) => contrast(background, surface) > 15,
})

describe("page's colours", () => {
  it('have the contrast that WCAG requires', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#336699', '#336699')).toBe(1)
  })

  it('are readable in light and dark mode, whatever palette a shop has chosen', () => {
    fc.assert(
      fc.property(palette, (chosen) => {
        paletteCases.count(chosen)
        for (const scheme of Object.values(schemesOf(chosen))) {
          const grounds = [scheme.page, scheme.card, scheme.tint, scheme.offer]
          for (const ground of grounds) {
            for (const ink of [scheme.ink, scheme.soft, scheme.accent, scheme.onOffer, scheme.late, scheme.wrong]) {
              expect(contrast(ink, ground), `${ink} on ${ground} of ${JSON.stringify(chosen)}`).toBeGreaterThanOrEqual(
                textRatio,
              )
            }
            expect(contrast(scheme.outline, ground)).toBeGreaterThanOrEqual(controlRatio)
          }
          expect(contrast(scheme.onAccent, scheme.accent)).toBeGreaterThanOrEqual(textRatio)
        }
      }),
      { numRuns: 400, examples: awkwardPalettes },
    )
    paletteCases.expectEach(3)
  })

  it('are those of the shop if they are readable', () => {
    const chosen = { primary_dark: '#1E4637', primary_light: '#DCEBE2', background: '#FFFFFF', surface: '#F6F4EE' }
    const { light } = schemesOf(chosen)
    expect(light).toMatchObject({ page: '#ffffff', accent: '#1E4637' })
    expect(light.tint.toUpperCase()).toBe('#DCEBE2')
    expect(light.card.toUpperCase()).toBe('#F6F4EE')
  })

  it('change no more than necessary', () => {
    expect(readable('#123456', ['#ffffff'], 4.5)).toBe('#123456')
    const moved = readable('#99bbdd', ['#ffffff'], 4.5)
    expect(contrast(moved, '#ffffff')).toBeLessThan(5.5)
  })

  it('are dark for people who prefer it', () => {
    const { light, dark } = schemesOf({})
    expect(contrast(light.page, '#ffffff')).toBe(1)
    expect(contrast(dark.page, '#000000')).toBeLessThan(1.4)
  })
})
