import type { ShopContext } from '../platform/foundation/context.ts'
import { type Scheme, schemesOf } from '../shops/settings/color-scheme.ts'
import type { BrandPalette } from '../shops/settings/palette.ts'
import { getSettings } from '../shops/settings/store.ts'
import { type Style, style } from './assets.ts'

/** A shop's colours as an inline style. */
export interface Theme {
  style: Style
  /** The colour of the browser's own interface. */
  page: { light: string; dark: string }
  /** Only this one; undefined: what the browser prefers. */
  mode?: 'light' | 'dark'
}

const known = new Map<string, Theme>()
const maxKnown = 1_000

export async function readTheme(context: ShopContext): Promise<Theme> {
  const { palette } = await getSettings(context, context.shop.id)
  return themeOf(palette)
}

export function themeOf(palette: Partial<BrandPalette>): Theme {
  const name = JSON.stringify(palette)
  const cached = known.get(name)
  if (cached) return cached
  if (known.size >= maxKnown) known.clear()
  const { light, dark } = schemesOf(palette)
  const made = {
    style: style(`:root{${variables(light)}}@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`),
    page: { light: light.page, dark: dark.page },
  }
  known.set(name, made)
  return made
}

/** The colours of one mode, whatever the browser prefers, for a preview. Not cached: each palette is shown once. */
export function previewThemeOf(palette: Partial<BrandPalette>, mode: 'light' | 'dark'): Theme {
  const scheme = schemesOf(palette)[mode]
  return {
    style: style(`:root{color-scheme:${mode};${variables(scheme)}}`),
    page: { light: scheme.page, dark: scheme.page },
    mode,
  }
}

function variables(scheme: Scheme): string {
  return Object.entries(scheme)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';')
}
