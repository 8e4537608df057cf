import type { DayRange } from '#domain/calendar/day-range.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import type { ProductRow } from '#web/modules/web-licenses/report/report-columns.ts'
import { ChartCard } from '#web/ui/chart/chart-card.tsx'

/** Of more days, a bar is too thin to be read: the peaks are then drawn as steps. */
const MOST_BARS = 45

/** The peaks of one product, day by day, against its seats. */
export function PeakChart({ product: { product, days: peaks }, days }: { product: ProductRow; days: DayRange }) {
  const { number, info } = useKnownCustomer()
  return (
    <ChartCard
      title="Peak concurrent use"
      subject={product}
      description={`Peak concurrent use of ${product} for each day, with a line for the seats`}
      points={peaks.map(({ day, peak, limit }) => ({ label: day, value: peak, limit, isSoFar: day === info.today }))}
      {...(peaks.length > MOST_BARS ? { stepsUntil: days.to } : {})}
      columns={['Day', 'Peak', 'Seats']}
      valueText={countText}
      places={0}
      fileColumn={['Product', product]}
      fileName={`web-peaks-${number}-${days.from}-${days.to}`}
    />
  )
}
