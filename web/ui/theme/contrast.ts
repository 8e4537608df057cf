/** WCAG 2 contrast between two #rrggbb colors: 1 (same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** What WCAG AA asks of text of normal size. */
export const READABLE = 4.5

function luminance(color: string): number {
  const [red, green, blue] = linearRgb(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The three channels of #rrggbb as light intensities from 0 to 1. */
export function linearRgb(color: string): [number, number, number] {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

export function hexOf(linear: readonly [number, number, number]): string {
  const channel = (intensity: number) => {
    const value = Math.min(1, Math.max(0, intensity))
    const encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${linear.map(channel).join('')}`
}
