import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { countText } from '#web/lib/figures.ts'
import type { Draw } from '#web/modules/entitlements/monthly-draw.ts'

/** The table beside it says the same in figures, so that to a screen reader this is one picture. */
export function DrawChart({ months, currency }: { months: Draw[]; currency: string }) {
  return (
    <div role="img" aria-label={`Bars of what was used each month, in ${currency}`}>
      <BarChart
        h={170}
        data={months}
        dataKey="month"
        series={[{ name: 'used', label: 'Used', color: 'var(--portal-focus)' }]}
        valueFormatter={countText}
        tickLine="none"
        maxBarWidth={36}
        barChartProps={{ accessibilityLayer: false }}
        withBarValueLabel={months.length <= 12}
        valueLabelProps={{ fontSize: 11 }}
        yAxisProps={{ width: 56 }}
      />
    </div>
  )
}
