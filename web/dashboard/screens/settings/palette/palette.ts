import type { Schemas } from 'doorstep-client'

export type Palette = Schemas['BrandPalette']
export type PaletteColor = keyof Palette

/** In the order of their importance. */
export const colors = [
  'primary_dark',
  'primary_light',
  'secondary_dark',
  'secondary_light',
  'background',
  'surface',
] as const satisfies readonly PaletteColor[]
