export type ChartPoint = {
  readonly label: string
  readonly value: number
  /** The period is not over yet. */
  readonly isSoFar?: boolean
  /** What the value is held against, such as the seats that were bought. */
  readonly limit?: number
}

export const SO_FAR = 'so far'

export function pointText({ label, isSoFar }: ChartPoint): string {
  return isSoFar ? `${label} ${SO_FAR}` : label
}
