import { contrast, READABLE } from '#web/ui/theme/contrast.ts'
import { hexOfOklch, oklchOf } from '#web/ui/theme/oklch.ts'

/** Ten shades, light to dark, as the component library wants them. */
export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]

/** The shade that buttons are filled with, under white text. */
export const FILLED = 6

const LIGHTEST = 0.975
const DARKEST = 0.24
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
    // Very light and very dark shades keep less color, or they would look like highlighter and ink.
    const chroma = base.chroma * (index <= FILLED ? 1 - 0.85 * toLight ** 1.6 : 1 - 0.35 * toDark)
    return hexOfOklch({ lightness, chroma, hue: base.hue })
  }
  return [shade(0), shade(1), shade(2), shade(3), shade(4), shade(5), shade(6), shade(7), shade(8), shade(9)]
}

function darkenUntil(lightness: number, isDarkEnough: (lightness: number) => boolean): number {
  let tried = lightness
  while (tried > DARKEST_FILLED && !isDarkEnough(tried)) tried -= 0.005
  return tried
}
