import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { ElasticRow } from '#contract/elastic/elastic-row.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { amountText, unitsText } from '#web/lib/format.ts'
import { monthlyDrawQuery } from '#web/modules/entitlements/elastic.api.ts'
import { type Draw, everyMonth, totalDraw } from '#web/modules/entitlements/monthly-draw.ts'
import { Facts } from '#web/ui/facts.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './elastic-detail.module.css'

/** Charts come with a library of their own: only who unfolds a row needs it. */
const DrawChart = lazy(async () => ({
  default: (await import('#web/modules/entitlements/draw-chart.tsx')).DrawChart,
}))

export function ElasticDetail({ row }: { row: ElasticRow }) {
  return (
    <div className={classes.detail}>
      <Facts
        layout="above"
        facts={[
          ['Purchase order', row.ansysponum || 'None'],
          ['Rate table', row.ansysratetableversion || 'None'],
          ['Units per line', unitsText(row.ansyscount)],
          ['Total', `${unitsText(row.quantity)} ${row.currency}`],
        ]}
      />
      <section className={classes.draw} aria-label={`Monthly draw of ${row.activationid}`}>
        <Title order={3}>Monthly draw</Title>
        <MonthlyDraw row={row} />
      </section>
    </div>
  )
}

function MonthlyDraw({ row: { activationid, currency } }: { row: ElasticRow }) {
  const { number } = useKnownCustomer()
  const draw = useQuery(monthlyDrawQuery(number, activationid))
  if (draw.error) return <FailureNotice failure={draw.error} onRetry={() => void draw.refetch()} />
  if (!draw.data) return <Spinner />
  if (draw.data.length === 0) return <p className={classes.nothing}>Nothing has been drawn yet.</p>
  const months = everyMonth(draw.data)
  return (
    <div className={classes.months}>
      <Suspense fallback={<div className={classes.chart} />}>
        <div className={classes.chart}>
          <DrawChart months={months} currency={currency} />
        </div>
      </Suspense>
      <DrawTable months={months} currency={currency} />
    </div>
  )
}

/** As many months are seen at once. */
const UNSCROLLED = 13

function DrawTable({ months, currency }: { months: readonly Draw[]; currency: string }) {
  return (
    <div className={classes.scroll} {...(months.length > UNSCROLLED && { 'data-long': true, tabIndex: 0 })}>
      <table className={classes.table}>
        <thead>
          <tr className={classes.line} data-kept="top">
            <th scope="col">Month</th>
            <th scope="col">Used ({currency})</th>
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map(({ month, used }) => (
            <tr key={month} className={classes.line}>
              <td>{month}</td>
              <td>{amountText(used)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className={classes.line} data-kept="bottom">
            <th scope="row">Total</th>
            <td>{amountText(totalDraw(months))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
