import { type BrandPalette, completePalette } from '../../src/resources/settings/palette.ts'
import { type Color, contrast, inkOn, legible, mix, readable } from './contrast.ts'

/** The colours of a page by their use. */
export interface Scheme {
  page: Color
  card: Color
  /** Text, and quieter text, on the page and on cards. */
  ink: Color
  soft: Color
  /** The brand's colour: links, buttons, progress. */
  accent: Color
  onAccent: Color
  /** A field in the brand's light colour, and the one beside it for offers; the ink is read on both. */
  tint: Color
  offer: Color
  onOffer: Color
  /** Lines that only divide, and outlines that say where a control is. */
  line: Color
  outline: Color
  late: Color
  wrong: Color
}

/** Text needs this ratio, what shows where a control is the lower one. WCAG 2.2: 1.4.3 and 1.4.11. */
export const textRatio = 4.5
export const controlRatio = 3
/** The main text's own: a page is read, not only recognised. */
const mainRatio = 7

/** The brand's colours as a page needs them, by day and by night. Colours that could not be read are moved until they can. */
export function schemesOf(chosen: Partial<BrandPalette>): { light: Scheme; dark: Scheme } {
  const palette = completePalette(chosen)
  const light = schemeOf(palette)
  const isDarkAnyway = inkOn(light.page) === '#ffffff'
  return { light, dark: isDarkAnyway ? light : schemeOf(atNight(palette)) }
}

function schemeOf(palette: BrandPalette): Scheme {
  const page = readablePage(palette.background)
  const pole = inkOn(page)
  const ink = readable(mix(palette.primary_dark, pole, 0.72), [page], mainRatio)
  // A field that the ink could not be read on comes nearer to the page, which it can be read on.
  const field = (color: Color) => legible(color, ink, page, 5)
  const card = field(palette.surface)
  const tint = field(palette.primary_light)
  const offer = field(palette.secondary_light)
  const grounds = [page, card, tint, offer]
  const accent = readable(palette.primary_dark, grounds, textRatio)
  return {
    page,
    card,
    ink,
    soft: readable(mix(ink, page, 0.36), grounds, textRatio),
    accent,
    onAccent: inkOn(accent),
    tint,
    offer,
    onOffer: readable(palette.secondary_dark, grounds, textRatio),
    line: mix(page, ink, 0.14),
    outline: readable(mix(page, ink, 0.45), grounds, controlRatio),
    late: readable('#9a5b00', grounds, textRatio),
    wrong: readable('#b3261e', grounds, textRatio),
  }
}

/** The same brand in the dark: a ground with a breath of its colour, and its dark colours made light. */
function atNight(palette: BrandPalette): BrandPalette {
  const background = mix('#0e1014', palette.primary_dark, 0.12)
  return {
    background,
    surface: mix(background, '#ffffff', 0.06),
    primary_dark: mix(palette.primary_dark, '#ffffff', 0.55),
    primary_light: mix(background, palette.primary_dark, 0.4),
    secondary_dark: mix(palette.secondary_dark, '#ffffff', 0.6),
    secondary_light: mix(background, palette.secondary_dark, 0.25),
  }
}

/** Between black and white lies a grey on which nothing is read well: such a ground moves to the nearer end. */
function readablePage(background: Color): Color {
  const away = inkOn(background) === '#000000' ? '#ffffff' : '#000000'
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(background, away, share)
    if (contrast(inkOn(candidate), candidate) >= mainRatio + 2) return candidate
  }
  return away
}
