import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { useElementSize } from '@mantine/hooks'
import { countText } from '#web/lib/format.ts'
import type { Draw } from '#web/modules/entitlements/monthly-draw.ts'

const AXIS_WIDTH = 56
const MARGIN = { top: 18, right: 10, bottom: 0, left: 0 }
/** Of a digit in a label over a bar, in pixels. */
const DIGIT_WIDTH = 6.5
const GAP = 6

/** The table beside it says the same in figures, so that to a screen reader this is one picture. */
export function DrawChart({ months, currency }: { months: Draw[]; currency: string }) {
  const { ref, width } = useElementSize()
  return (
    <div role="img" aria-label={`Bars of what was used each month, in ${currency}`} ref={ref}>
      <BarChart
        h={170}
        data={months}
        dataKey="month"
        series={[{ name: 'used', label: 'Used', color: 'var(--portal-focus)' }]}
        valueFormatter={countText}
        tickLine="none"
        maxBarWidth={36}
        barChartProps={{ accessibilityLayer: false, margin: MARGIN }}
        withBarValueLabel={hasRoomForLabels(months, width)}
        valueLabelProps={{ fontSize: 11 }}
        xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 8 }}
        // Every label at its line: otherwise the library moves the topmost one down.
        yAxisProps={{ width: AXIS_WIDTH, interval: 0 }}
      />
    </div>
  )
}

/** Labels that run into each other say less than none: the figures are in the table. */
function hasRoomForLabels(months: readonly Draw[], width: number): boolean {
  const longest = Math.max(...months.map(({ used }) => countText(used).length))
  const room = (width - AXIS_WIDTH - MARGIN.right) / months.length
  return longest * DIGIT_WIDTH + GAP <= room
}
