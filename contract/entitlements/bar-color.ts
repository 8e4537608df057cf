export type BarColor = 'red' | 'orange' | 'green'

/** Red when little or nothing is left, orange when it is time to think of renewal. Null means no end. */
export function daysLeftColor(daysLeft: number | null): BarColor {
  if (daysLeft === null) return 'green'
  if (daysLeft <= 30) return 'red'
  return daysLeft <= 90 ? 'orange' : 'green'
}

export function usedPercentageColor(percentage: number): BarColor {
  if (percentage >= 95) return 'red'
  return percentage >= 80 ? 'orange' : 'green'
}
