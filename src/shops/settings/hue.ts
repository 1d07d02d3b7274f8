import type { Color } from './contrast.ts'

export const hues = [
  'black',
  'white',
  'grey',
  'red',
  'orange',
  'brown',
  'yellow',
  'green',
  'turquoise',
  'blue',
  'purple',
  'pink',
] as const
export type Hue = (typeof hues)[number]

/** The everyday name of a colour. */
export function hueOf(color: Color): Hue {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (start) => Number.parseInt(color.slice(start, start + 2), 16) / 255,
  )
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  const lightness = (least + most) / 2
  const chroma = most - least
  if (lightness < 0.07) return 'black'
  if (lightness > 0.97) return 'white'
  if (chroma < 0.07) return 'grey'
  return nameOf(degreesOf([red, green, blue], most, chroma), lightness)
}

type Channels = [red: number, green: number, blue: number]

function degreesOf([red, green, blue]: Channels, most: number, chroma: number): number {
  if (most === red) return (((green - blue) / chroma + 6) % 6) * 60
  if (most === green) return ((blue - red) / chroma + 2) * 60
  return ((red - green) / chroma + 4) * 60
}

function nameOf(degrees: number, lightness: number): Hue {
  if (degrees < 12 || degrees >= 345) return lightness > 0.75 ? 'pink' : 'red'
  if (degrees < 42) return lightness < 0.4 ? 'brown' : 'orange'
  if (degrees < 68) return lightness < 0.25 ? 'brown' : 'yellow'
  if (degrees < 160) return 'green'
  if (degrees < 195) return 'turquoise'
  if (degrees < 255) return 'blue'
  return degrees < 295 ? 'purple' : 'pink'
}
