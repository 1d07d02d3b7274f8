import { type Color, contrast, inkOn, legible, mix, readable } from './contrast.ts'
import { type BrandPalette, completePalette } from './palette.ts'

/** The colours of a page, by purpose. */
export interface Scheme {
  page: Color
  card: Color
  /** Text and secondary text, on the page and on cards. */
  ink: Color
  soft: Color
  /** The brand colour: links, buttons, progress. */
  accent: Color
  onAccent: Color
  /** Backgrounds in the brand's light colour and for offers; `ink` is readable on both. */
  tint: Color
  offer: Color
  onOffer: Color
  /** Decorative lines, and outlines of controls. */
  line: Color
  outline: Color
  late: Color
  wrong: Color
}

/** Minimum contrast of text and of controls: WCAG 2.2, 1.4.3 and 1.4.11. */
export const textRatio = 4.5
export const controlRatio = 3
/** The main text gets more than the minimum. */
const mainRatio = 7
/** The minimum contrast of black or white on a page, so that there is a choice of readable colours. */
export const pageRatio = mainRatio + 2
/** The minimum contrast of the main text on cards and tinted backgrounds. */
export const fieldRatio = 5

/**
 * The colours of a page in light and dark mode, derived from the brand's. Unreadable colours are shifted until they are
 * readable.
 */
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
  // A background on which the ink is unreadable is mixed with the page colour, on which it is readable.
  const field = (color: Color) => legible(color, ink, page, fieldRatio)
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

/** The brand in dark mode: a dark background with a hint of its colour, and its dark colours lightened. */
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

/** On a medium grey nothing is readable, so such a background moves to the nearer extreme. */
function readablePage(background: Color): Color {
  const away = inkOn(background) === '#000000' ? '#ffffff' : '#000000'
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(background, away, share)
    if (contrast(inkOn(candidate), candidate) >= pageRatio) return candidate
  }
  return away
}
