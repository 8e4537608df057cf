import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { LimitsReplay } from '#contract/elastic/limits/limits.ts'
import { subjectText } from '#domain/elastic/limits/limit.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { countOf, countText } from '#web/lib/format.ts'
import { namedRow } from '#web/modules/elastic/limits/limit-rows.tsx'
import { type LimitValues, replayQuery } from '#web/modules/elastic/limits/limits.api.ts'
import { Card } from '#web/ui/cards.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './limits.module.css'

/** Typing goes on for so long, in milliseconds. */
const PAUSE = 500

type Props = { customerNumber: string; values: LimitValues; isValid: boolean }

/** What the limits of the form would have refused last month. */
export function WouldRefuse({ customerNumber, values, isValid }: Props) {
  const [settled] = useDebouncedValue(isValid ? values : null, PAUSE)
  const { data, error } = useQuery({
    ...replayQuery(customerNumber, settled ?? { limits: [], productRules: [] }),
    enabled: settled !== null && isValid,
  })
  return (
    <Card
      title="Last month with these limits"
      about="The sessions and refused starts of the last calendar month, started again with what is entered here."
    >
      <div role="status">
        {!isValid ? (
          <Text c="dimmed">Complete the limits to see what they would have refused.</Text>
        ) : error ? (
          <Text>{failureText(error)}</Text>
        ) : data && settled ? (
          <Outcome replay={data} values={settled} />
        ) : (
          <Spinner />
        )}
      </div>
    </Card>
  )
}

function Outcome({ replay, values }: { replay: LimitsReplay; values: LimitValues }) {
  const { from, to, starts, refused, notAllowed, denied, admitted, limits } = replay
  const rows = limits.flatMap((one, index) => {
    const row = values.limits[index]
    return one && row && one.refused > 0 ? [{ one, row }] : []
  })
  return (
    <>
      <Text>
        {starts === 0
          ? `Nobody started a session from ${from} to ${to}.`
          : refused === 0
            ? `None of ${countOf(starts, 'session')} from ${from} to ${to} would have been refused.`
            : `${countText(refused)} of ${countOf(starts, 'session')} from ${from} to ${to} would have been refused.`}
        {denied > 0 &&
          ` ${countText(admitted)} of ${countOf(denied, 'start')} that were refused then would have been admitted.`}
      </Text>
      {(rows.length > 0 || notAllowed > 0) && (
        <ul className={classes.replay}>
          {rows.map(({ one, row }) => (
            <li key={`${row.id} ${subjectText(namedRow(row))} ${row.period} ${row.from}`}>
              {subjectText(namedRow(row))}: {countText(one.refused)} refused, {formatDecimal(one.units, 2)}{' '}
              {row.currency}
              {one.firstAt && `, the first on ${one.firstAt.slice(0, 10)}`}, mostly {one.most.join(', ')}
            </li>
          ))}
          {notAllowed > 0 && <li>Products that were not allowed: {countText(notAllowed)} refused</li>}
        </ul>
      )}
    </>
  )
}
