import { useKnownCustomer } from '#web/lib/customer.tsx'
import { EntitlementTable } from '#web/modules/web-licenses/entitlement-table.tsx'
import { SeatTable } from '#web/modules/web-licenses/seat-table.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './web-licenses.module.css'

/** Web entitlements and the users who are assigned to them. */
export function Page() {
  const { info } = useKnownCustomer()
  return (
    <>
      <PageHead context={`Who can use Named User and Shared Web licenses as of ${info.today} (${info.timeZone})`} />
      <div className={classes.sections}>
        <EntitlementTable title="Entitlements" hasGroups={false} />
        <SeatTable />
      </div>
    </>
  )
}
