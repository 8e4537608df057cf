import { contrast, hexOf, linearRgb, READABLE } from '#web/ui/theme/contrast.ts'

/** Ten shades, light to dark, as the component library wants them. */
export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]

/** The shade that buttons are filled with, under white text. */
export const FILLED = 6

const LIGHTEST = 0.975
const DARKEST = 0.24
const LIGHTER_ON_DARK = 0.07
/** Below this a brand is all but black, and its middle shades would be too dark to read on the dark page. */
const DARKEST_FILLED = 0.36

/**
 * The shades of one color. Whatever color an operator configures, white text on shade 6 and darker is readable, and so
 * is shade 7 as text on the light page and shade 3 on the dark one: a brand that is too light is darkened just enough.
 */
export function shadesOf(color: string): Shades {
  const base = oklchOf(color)
  const filled = darkenUntil(Math.max(base.lightness, DARKEST_FILLED), (lightness) => {
    return contrast('#ffffff', hexOfOklch({ ...base, lightness })) >= READABLE
  })
  const shade = (index: number) => {
    const toLight = (FILLED - index) / FILLED
    const toDark = (index - FILLED) / (9 - FILLED)
    const lightness =
      index <= FILLED ? filled + (LIGHTEST - filled) * toLight ** 0.85 : filled - (filled - DARKEST) * toDark * 0.8
    // Very light and very dark shades have less chroma, or they would look garish.
    const chroma = base.chroma * (index <= FILLED ? 1 - 0.85 * toLight ** 1.6 : 1 - 0.35 * toDark)
    return hexOfOklch({ lightness, chroma, hue: base.hue })
  }
  return [shade(0), shade(1), shade(2), shade(3), shade(4), shade(5), shade(6), shade(7), shade(8), shade(9)]
}

/** A brand on a dark page is a little lighter, as long as white text on it is readable. */
export function filledOnDark(filled: string): string {
  const base = oklchOf(filled)
  const isReadable = (lightness: number) => contrast('#ffffff', hexOfOklch({ ...base, lightness })) >= READABLE
  const lightness = darkenUntil(base.lightness + LIGHTER_ON_DARK, isReadable)
  return hexOfOklch({ ...base, lightness })
}

function darkenUntil(lightness: number, isDarkEnough: (lightness: number) => boolean): number {
  let tried = lightness
  while (tried > DARKEST_FILLED && !isDarkEnough(tried)) tried -= 0.005
  return tried
}

/** A color by perceived lightness (0–1), chroma and hue (radians): equal steps of lightness look equal. */
type Oklch = { lightness: number; chroma: number; hue: number }

/** The matrices are those of Björn Ottosson's Oklab. */
function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearRgb(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, bb),
    hue: Math.atan2(bb, a),
  }
}

/** A chroma that the screen cannot show is reduced until it can, which keeps lightness and hue. */
function hexOfOklch(color: Oklch): string {
  let { chroma } = color
  while (chroma > 0 && !isShowable(linearOf({ ...color, chroma }))) chroma -= 0.002
  return hexOf(linearOf({ ...color, chroma: Math.max(0, chroma) }))
}

function isShowable(linear: readonly number[]): boolean {
  return linear.every((intensity) => intensity >= -0.0001 && intensity <= 1.0001)
}

function linearOf({ lightness, chroma, hue }: Oklch): [number, number, number] {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
