import dayjs from 'dayjs'
import { useCustomer } from '#web/lib/customer.tsx'
import { filterWords } from '#web/table/filters/filter-words.ts'
import type { Table } from '#web/table/use-table.ts'
import classes from './frame.module.css'

type Props = { label: string; table: Pick<Table<never>, 'columns' | 'state'>; scope: string | undefined }

/** Only in print: the account, the date, and what the rows are narrowed by. */
export function PrintHead({ label, table: { columns, state }, scope }: Props) {
  const customer = useCustomer()
  const narrowed = [...(scope ? [scope] : []), ...filterWords(columns, state.view.filters)]
  return (
    <p className={classes.printHead}>
      <strong>{label}</strong>
      {customer.state === 'known' && ` · ${customer.name} (${customer.number})`} · {dayjs().format('YYYY-MM-DD')}
      {narrowed.length > 0 && (
        <>
          <br />
          Only: {narrowed.join(' · ')}
        </>
      )}
    </p>
  )
}
