import { Paper, Text, Title } from '@mantine/core'
import { Loaded } from '#web/form/loaded.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { scheduleQuery } from '#web/modules/elastic/statements/mailed-statements.api.ts'
import { ScheduleForm } from '#web/modules/elastic/statements/schedule.form.tsx'
import classes from './statement.module.css'

export function ScheduleTab() {
  const { number } = useKnownCustomer()
  return (
    <Paper component="section" className={classes.schedule} aria-labelledby="statement-schedule">
      <Title order={2} id="statement-schedule">
        Scheduled statements
      </Title>
      <Text size="sm" c="dimmed" mt="0.25rem" mb="0.75rem">
        Statements of all entitlements of this account, emailed with a PDF file.
      </Text>
      <Loaded query={scheduleQuery(number)}>{(loaded) => <ScheduleForm key={number} loaded={loaded} />}</Loaded>
    </Paper>
  )
}
