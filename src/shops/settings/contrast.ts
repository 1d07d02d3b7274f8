/** A colour as #rrggbb. */
export type Color = string

/** The colour, or the nearest one towards black or white that has the ratio on every background. */
export function readable(color: Color, backgrounds: readonly Color[], ratio: number): Color {
  const reaches = (candidate: Color) => backgrounds.every((background) => contrast(candidate, background) >= ratio)
  if (reaches(color)) return color
  for (let share = 0.04; share < 1; share += 0.04) {
    for (const pole of ['#000000', '#ffffff']) {
      const candidate = mix(color, pole, share)
      if (reaches(candidate)) return candidate
    }
  }
  return inkOn(backgrounds[0] ?? '#ffffff')
}

/** The background, or the nearest mix with a safe one that text of this colour is readable on. */
export function legible(background: Color, ink: Color, safe: Color, ratio: number): Color {
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(background, safe, share)
    if (contrast(ink, candidate) >= ratio) return candidate
  }
  return safe
}

/** Black or white, whichever has more contrast: one of them always has at least 4.5. */
export function inkOn(background: Color): Color {
  return contrast('#000000', background) >= contrast('#ffffff', background) ? '#000000' : '#ffffff'
}

/** The WCAG 2 contrast ratio: 1 for equal colours, 21 for black on white. */
export function contrast(one: Color, other: Color): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((left, right) => left - right)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

/** Mixes a share of the second colour into the first. */
export function mix(color: Color, other: Color, share: number): Color {
  const target = channels(other)
  const mixed = channels(color).map((channel, index) => Math.round(channel + ((target[index] ?? 0) - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(color: Color): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
}
