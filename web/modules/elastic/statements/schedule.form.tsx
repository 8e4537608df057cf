import { MultiSelect, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { recipientsError, type StatementSchedule } from '#domain/elastic/statements/statement-schedule.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import {
  contactEmailsQuery,
  type LoadedSchedule,
  saveSchedule,
  scheduleQuery,
} from '#web/modules/elastic/statements/mailed-statements.api.ts'
import classes from './statement.module.css'

const isOn = (value: boolean) => (value ? 'On' : 'Off')

const FIELDS: Fields<StatementSchedule> = {
  weekly: { label: 'Weekly statement', text: isOn },
  monthly: { label: 'Monthly statement', text: isOn },
  recipients: { label: 'Recipients', text: (emails) => emails.toSorted().join('\n') || 'Nobody' },
}

const READ_ONLY =
  'You can see the scheduled statements, but not change them. Only Administrators and Support Coordinators of this account can.'

export function ScheduleForm({ loaded }: { loaded: LoadedSchedule }) {
  const { number, info } = useKnownCustomer()
  const queries = useQueryClient()
  const { data: contacts = [] } = useQuery(contactEmailsQuery(number))
  const form = useForm({
    loaded,
    valuesOf: ({ weekly, monthly, recipients }): StatementSchedule => ({ weekly, monthly, recipients }),
    fields: FIELDS,
    validate: (schedule) => ({ recipients: recipientsError(schedule) }),
    save: (schedule, before, key) => saveSchedule(number, schedule, before.revision, key),
    success: 'The scheduled statements have been saved.',
    onSaved: (saved) => queries.setQueryData(scheduleQuery(number).queryKey, saved),
    readOnly: useCan('elastic.schedule-statements') ? undefined : READ_ONLY,
    draftName: `statement-schedule:${number}`,
  })
  return (
    <Form form={form}>
      <Switch
        {...form.field('weekly')}
        label="Weekly statement"
        description={`On Monday morning (${info.timeZone}), for the week before`}
      />
      <Switch
        {...form.field('monthly')}
        label="Monthly statement"
        description={`On the morning of the first day of a month (${info.timeZone}), for the month before`}
      />
      <MultiSelect
        {...form.field('recipients')}
        label="Recipients"
        description="Contacts of this account. Former contacts get no statement."
        placeholder={form.values.recipients.length === 0 ? 'Choose contacts' : ''}
        data={[...new Set([...contacts, ...form.values.recipients])].sort()}
        classNames={{ inputField: classes.recipient }}
        searchable
        nothingFoundMessage="No such contact."
      />
      <FormFooter />
    </Form>
  )
}
