import { countText } from '#web/lib/format.ts'
import type { ChartPoint } from '#web/ui/chart/chart-point.ts'

/** Props of a chart that draw the highest limit of its points as a line. */
export function limitLine(points: readonly ChartPoint[]) {
  const limits = points.flatMap(({ limit }) => limit ?? [])
  if (limits.length === 0) return {}
  const limit = Math.max(...limits)
  return {
    referenceLines: [
      {
        y: limit,
        label: `Limit ${countText(limit)}`,
        color: 'var(--portal-red-ink)',
        labelPosition: 'insideBottomRight' as const,
        ifOverflow: 'extendDomain' as const,
      },
    ],
  }
}
