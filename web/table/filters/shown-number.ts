const NUMBER = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/

/** A number as it is shown. A comma separates thousands and nothing else: 0,19 is no number, and surely not 19. */
export function readShownNumber(text: string): number | undefined {
  const trimmed = text.trim()
  return NUMBER.test(trimmed) ? Number(trimmed.replaceAll(',', '')) : undefined
}
