import { Maybe, Named, type Static, Type } from '../../platform/foundation/schema.ts'
import { recordOf } from './integrations.ts'

export const paletteColors = [
  'primary_dark',
  'primary_light',
  'secondary_dark',
  'secondary_light',
  'background',
  'surface',
] as const

export type PaletteColor = (typeof paletteColors)[number]

export const Color = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#1F3A5F'] })

export const BrandPalette = Named('BrandPalette', Type.Object(recordOf(paletteColors, () => Color)))
export type BrandPalette = Static<typeof BrandPalette>

export const BrandPaletteUpdate = Named('BrandPaletteUpdate', Type.Object(recordOf(paletteColors, () => Maybe(Color))))

/** Both dark colours have a contrast of at least 7:1 on every light one, so the defaults are readable. */
const defaultPalette: BrandPalette = {
  primary_dark: '#1F3A5F',
  primary_light: '#DCE8F5',
  secondary_dark: '#6B3410',
  secondary_light: '#FBE9DC',
  background: '#FFFFFF',
  surface: '#F5F7FA',
}

/** The palette a shop shows: its own colours, and the default of each that it has not chosen. */
export function completePalette(chosen: Partial<BrandPalette>): BrandPalette {
  return { ...defaultPalette, ...chosen }
}
