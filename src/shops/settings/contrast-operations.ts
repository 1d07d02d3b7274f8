import type { ShopContext } from '../../platform/foundation/context.ts'
import { given } from '../../platform/foundation/given.ts'
import { operation } from '../../platform/foundation/operation.ts'
import type { Static } from '../../platform/foundation/schema.ts'
import { fieldRatio, pageRatio, type Scheme, schemesOf, textRatio } from './color-scheme.ts'
import { type Color, contrast, inkOn } from './contrast.ts'
import { ContrastQuery, PaletteContrast } from './contrast-schema.ts'
import { hueOf } from './hue.ts'
import { type BrandPalette, completePalette, type PaletteColor, paletteColors } from './palette.ts'
import { getSettings } from './store.ts'

export const checkPaletteContrast = operation({
  name: 'checkPaletteContrast',
  summary: 'Check how readable the colours of a shop are',
  description:
    'For each colour where the tracking page uses it, by the contrast that WCAG 2.2 requires. Colours that are hard to read are shifted when a page is shown, so that no page is unreadable; `shown` is the result. Colours that are absent are those of the shop; nothing is saved.',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/brand-palette/contrast',
  needs: 'viewer',
  query: ContrastQuery,
  reply: PaletteContrast,
  async handle(context, { query }) {
    return { pairs: contrastsOf(await chosenPalette(context, query)) }
  },
})

/** The shop's colours, with those of a request instead of its own. */
export async function chosenPalette(
  context: ShopContext,
  query: Static<typeof ContrastQuery>,
): Promise<Partial<BrandPalette>> {
  const { palette } = await getSettings(context, context.shop.id)
  return { ...palette, ...given(query, paletteColors) }
}

type Pair = PaletteContrast['pairs'][number]
type Judged = Omit<Pair, 'hint'>

/** How readable each colour of a palette is where the tracking page uses it, and what the page shows instead. */
function contrastsOf(chosen: Partial<BrandPalette>): Pair[] {
  const palette = completePalette(chosen)
  const { light: scheme } = schemesOf(palette)
  const { background } = palette
  return [
    textPair(palette, scheme, 'primary_dark', scheme.accent),
    textPair(palette, scheme, 'secondary_dark', scheme.onOffer),
    groundPair('background', background, { ink: inkOn(background), needed: pageRatio, shown: scheme.page }),
    groundPair('surface', palette.surface, { ...onField, ink: scheme.ink, shown: scheme.card }),
    groundPair('primary_light', palette.primary_light, { ...onField, ink: scheme.ink, shown: scheme.tint }),
    groundPair('secondary_light', palette.secondary_light, { ...onField, ink: scheme.ink, shown: scheme.offer }),
  ].map((pair) => ({ ...pair, hint: hintOf(pair) }))
}

const onField = { needed: fieldRatio }

const groundNames = {
  page: 'background',
  card: 'surface',
  tint: 'primary_light',
  offer: 'secondary_light',
} as const

/** A colour of text, on the background where it is hardest to read. */
function textPair(palette: BrandPalette, scheme: Scheme, color: PaletteColor, shown: Color): Judged {
  const given = palette[color].toLowerCase()
  const grounds = (['page', 'card', 'tint', 'offer'] as const).map((name) => ({
    name: groundNames[name],
    ratio: contrast(given, scheme[name]),
  }))
  const worst = grounds.reduce((least, ground) => (ground.ratio < least.ratio ? ground : least))
  return { color, against: worst.name, ...judge(given, worst.ratio, textRatio, shown) }
}

/** A background, under the main text. */
function groundPair(
  color: PaletteColor,
  ground: Color,
  { ink, needed, shown }: { ink: Color; needed: number; shown: Color },
): Judged {
  const given = ground.toLowerCase()
  return { color, against: 'text', ...judge(given, contrast(ink, given), needed, shown) }
}

function judge(given: Color, exactRatio: number, needed: number, shown: Color): Omit<Judged, 'color' | 'against'> {
  // Rounded down, so that a ratio that is shown as enough is enough.
  const ratio = Math.floor(exactRatio * 10) / 10
  const passes = shown.toLowerCase() === given
  const isLighter = contrast('#000000', shown) > contrast('#000000', given)
  const change = passes ? null : isLighter ? 'lightened' : 'darkened'
  return { given, hue: hueOf(given), ratio, needed, passes, shown: shown.toLowerCase(), change }
}

const groundWords = {
  background: 'the background',
  surface: 'the colour of cards',
  primary_light: 'the light primary colour',
  secondary_light: 'the light secondary colour',
}

function hintOf({ against, hue, ratio, needed, passes, shown, change }: Judged): string {
  const what = against === 'text' ? `Text on this ${hue}` : `Text in this ${hue} on ${groundWords[against]}`
  const figures = `${ratio} to 1; ${needed} is needed`
  if (passes) return `${what} is easy to read: ${figures}.`
  return `${what} is hard to read: ${figures}. The page ${change === 'lightened' ? 'lightens' : 'darkens'} it to ${shown}.`
}
