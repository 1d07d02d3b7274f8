import { Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'
import { hues } from './hue.ts'
import { recordOf } from './integrations.ts'
import { Color, paletteColors } from './palette.ts'

/** A palette in the address; colours that are absent are those of the shop. */
export const ContrastQuery = Type.Object(recordOf(paletteColors, () => Type.Optional(Color)))

export const PaletteContrast = Named(
  'PaletteContrast',
  Type.Object({
    pairs: Type.Array(
      Type.Object({
        color: OneOf(paletteColors, { examples: ['primary_dark'] }),
        against: OneOf(['background', 'surface', 'primary_light', 'secondary_light', 'text'], {
          description: 'Where it is hardest to read: on this background or, for a background, under the main text',
          examples: ['background'],
        }),
        given: Color,
        hue: OneOf(hues, { examples: ['yellow'] }),
        ratio: Type.Number({ description: 'Contrast by WCAG 2, 1 to 21, rounded down', examples: [1.9] }),
        needed: Type.Number({ examples: [4.5] }),
        passes: Type.Boolean({ examples: [false] }),
        shown: { ...Color, description: 'What the tracking page shows', examples: ['#8a6d00'] },
        change: Nullable(OneOf(['darkened', 'lightened'], { examples: ['darkened'] })),
        hint: Type.String({
          description: 'The same in words',
          examples: [
            'Text in this yellow is hard to read on the background: 1.9 to 1; 4.5 is needed. The page darkens it to #8a6d00.',
          ],
        }),
      }),
    ),
  }),
)
export type PaletteContrast = Static<typeof PaletteContrast>
