const NUMBER = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/

/** A number as it is shown. A comma only separates thousands, so 0,19 is not a number. */
export function readShownNumber(text: string): number | undefined {
  const trimmed = text.trim()
  return NUMBER.test(trimmed) ? Number(trimmed.replaceAll(',', '')) : undefined
}
