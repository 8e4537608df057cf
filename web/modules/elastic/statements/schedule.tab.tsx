import { Loaded } from '#web/form/loaded.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { scheduleQuery } from '#web/modules/elastic/statements/mailed-statements.api.ts'
import { ScheduleForm } from '#web/modules/elastic/statements/schedule.form.tsx'
import { Card } from '#web/ui/cards.tsx'

export function ScheduleTab() {
  const { number } = useKnownCustomer()
  return (
    <Card title="Scheduled statements" about="Statements of all entitlements of this account, emailed with a PDF file.">
      <Loaded query={scheduleQuery(number)}>{(loaded) => <ScheduleForm key={number} loaded={loaded} />}</Loaded>
    </Card>
  )
}
