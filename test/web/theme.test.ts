import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { controlRatio, schemesOf, textRatio } from '../../src/resources/settings/color-scheme.ts'
import { contrast, readable } from '../../src/resources/settings/contrast.ts'

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

describe("page's colours", () => {
  it('have the contrast that WCAG requires', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#336699', '#336699')).toBe(1)
  })

  it('are readable in light and dark mode, whatever palette a shop has chosen', () => {
    fc.assert(
      fc.property(palette, (chosen) => {
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
      { numRuns: 400 },
    )
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
