import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { proposedSeats } from '#domain/planner/proposals.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf, countText } from '#web/lib/format.ts'
import { whatIfQuery } from '#web/modules/planner/planner.api.ts'
import type { PlannedRow } from '#web/modules/planner/planner-columns.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './planner.module.css'

/** What would have happened with other numbers of seats, and what else the account has of the product. */
export function WhatIf({ row, days }: { row: PlannedRow; days: DayRange }) {
  return (
    <div className={classes.detail}>
      {row.measured === null ? (
        <Text>License servers have reported nothing about this product in these days.</Text>
      ) : (
        <Denials row={row} days={days} measured={row.measured} />
      )}
      <Facts
        facts={[
          ['Ends', row.firstEnd && `${countOf(row.ending, 'seat')}, the first on ${row.firstEnd}`],
          ['Features', row.features.join(', ')],
          ['Elastic units used', row.elasticUnits],
          ['Web licenses', row.webSeats > 0 && `${countOf(row.webSeats, 'seat')}, peak ${countText(row.webPeak)}`],
          ['Price of a seat', row.unitCost && `${formatDecimal(row.unitCost, 2)} ${row.currency} for ${row.duration}`],
        ]}
      />
    </div>
  )
}

type DenialsProps = { row: PlannedRow; days: DayRange; measured: NonNullable<PlannedRow['measured']> }

function Denials({ row, days, measured }: DenialsProps) {
  const { number } = useKnownCustomer()
  const seats = [
    row.seats,
    row.bought,
    measured.peak,
    proposedSeats('lean', row.bought, measured),
    proposedSeats('safe', row.bought, measured),
  ]
  const wanted = [...new Set(seats)].sort((one, other) => one - other)
  const { data, error, refetch } = useQuery(whatIfQuery(number, days, row.product, wanted))
  if (error) return <FailureNotice failure={error} onRetry={refetch} />
  if (!data) return <Spinner />
  const { eventsFrom, realDenials, deniedWhileFree, results } = data
  if (eventsFrom === null)
    return (
      <Text>
        There are no single checkouts of these days: they were removed, or never reported. So nobody can say how many
        requests other numbers of seats would deny.
      </Text>
    )
  return (
    <>
      {eventsFrom > days.from && (
        <Text>Computed from {eventsFrom} on. Single checkouts of the days before were removed, or never reported.</Text>
      )}
      {realDenials !== null && realDenials > 0 && (
        <Text>
          {countText(deniedWhileFree)} of {countOf(realDenials, 'measured denial')} happened while another license
          server had free seats.
        </Text>
      )}
      <table className={classes.table} aria-label={`Other numbers of seats of ${row.product}`}>
        <thead>
          <tr>
            <th scope="col" data-figure>
              With seats
            </th>
            <th scope="col" data-figure>
              Denials
            </th>
            <th scope="col" data-figure>
              Elastic units above
            </th>
          </tr>
        </thead>
        <tbody>
          {results.map((one) => (
            <tr key={one.seats}>
              <td data-figure>{countText(one.seats)}</td>
              <td data-figure>{one.denials === null ? '' : countText(one.denials)}</td>
              <td data-figure>{one.unitsAbove === null ? 'No rate' : formatDecimal(one.unitsAbove, 2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
