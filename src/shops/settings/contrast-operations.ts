import type { ShopContext } from '../../platform/foundation/context.ts'
import { given } from '../../platform/foundation/given.ts'
import { operation } from '../../platform/foundation/operation.ts'
import type { Static } from '../../platform/foundation/schema.ts'
import { ContrastQuery, PaletteContrast } from './contrast-schema.ts'
import { type BrandPalette, paletteColors } from './palette.ts'
import { contrastsOf } from './palette-contrast.ts'

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
