import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { failureText } from '#web/lib/api-failure.ts'
import { timeText } from '#web/lib/format.ts'
import { lastReceivedQuery } from '#web/modules/elastic/usage.api.ts'
import classes from './usage.module.css'

/** How fresh the usage is, and the way to the freshest. */
export function LastReceived({ customerNumber, onRefresh }: { customerNumber: string; onRefresh(): void }) {
  const { data, error, isPending } = useQuery(lastReceivedQuery(customerNumber))
  const time = isPending ? '…' : error ? failureText(error) : data ? timeText(data) : 'none yet'
  return (
    <div className={classes.received}>
      <span role="status">
        Last received transaction: <span className="figures">{time}</span>
      </span>
      <Anchor component="button" type="button" onClick={onRefresh}>
        Refresh
      </Anchor>
      <span>Transactions may be delayed by up to 30 minutes</span>
    </div>
  )
}
