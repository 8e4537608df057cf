const MINIMUM = 'Minimum is 1.'
const WHOLE_NUMBER = 'Enter a whole number.'
const OVER_AVAILABLE = 'Activated number must be less or equal to Available number.'

/** What is wrong with a quantity while it is typed; an empty input is null. */
export function quantityError(quantity: number | null, available: number): string | undefined {
  if (quantity === null || Number.isNaN(quantity) || quantity < 1) return MINIMUM
  if (quantity > available) return `Maximum is ${available}.`
  return Number.isInteger(quantity) ? undefined : WHOLE_NUMBER
}

/** What is wrong with a quantity on save, when other people may have taken seats meanwhile. */
export function savedQuantityError(quantity: number, available: number): string | undefined {
  return quantity > available ? OVER_AVAILABLE : quantityError(quantity, available)
}
