import dayjs from 'dayjs'
import { useCustomer } from '#web/lib/customer.tsx'
import classes from './frame.module.css'

/** Only in print: the account and the date. */
export function PrintHead({ label }: { label: string }) {
  const customer = useCustomer()
  return (
    <p className={classes.printHead}>
      <strong>{label}</strong>
      {customer.state === 'known' && ` · ${customer.name} (${customer.number})`} · {dayjs().format('YYYY-MM-DD')}
    </p>
  )
}
