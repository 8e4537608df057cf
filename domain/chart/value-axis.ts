/** Preferred number of steps on an axis. */
const STEPS = 4
const ROUND = [1, 2, 2.5, 5, 10]
/** Tolerance for binary rounding errors, as a fraction of a step. */
const SLACK = 1e-9

/** Round values at even distances, from the lowest to the highest of these values and zero, or beyond them. */
export function axisTicks(values: readonly number[]): readonly number[] {
  const low = Math.min(0, ...values)
  // If all values are 0, the axis still needs a height.
  const high = Math.max(0, ...values) || (low === 0 ? 1 : 0)
  const step = roundStep((high - low) / STEPS)
  const first = Math.floor(low / step + SLACK)
  const count = Math.ceil(high / step - SLACK) - first
  // Multiplied from whole numbers, because adding up steps such as 0.1 would miss the round values.
  return Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** The nearest round number that is not smaller. */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast))
  return (ROUND.find((round) => round * power >= atLeast * (1 - SLACK)) ?? 10) * power
}
