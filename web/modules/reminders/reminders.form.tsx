import { Checkbox, MultiSelect, NativeSelect, TagsInput, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LoadedReminders, SavedReminders } from '#contract/reminders/reminders.ts'
import {
  type Budget,
  MAX_BUDGET_NAME,
  MAX_BUDGETS,
  MAX_LEAD_TIMES,
  MAX_THRESHOLDS,
  type Reminders,
  reminderErrors,
  type Threshold,
  tidiedReminders,
} from '#domain/reminders/reminders.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { FormRows } from '#web/form/form-rows.tsx'
import type { Rows } from '#web/form/rows.ts'
import { useForm } from '#web/form/use-form.ts'
import { useAddressRequest } from '#web/lib/address/use-address-request.ts'
import { useCan } from '#web/lib/customer.tsx'
import { remindersQuery, saveReminders } from '#web/modules/reminders/reminders.api.ts'
import classes from './reminders.module.css'

/** Lead times are typed one after the other. */
type Values = Omit<Reminders, 'leadDays'> & { readonly leadDays: readonly string[] }

const thresholdText = ({ measure, value }: Threshold) => (measure === 'percent' ? `${value}%` : value)
const THRESHOLDS = {
  newRow: { measure: 'percent', value: '' },
  text: (thresholds: readonly Threshold[]) => thresholds.map(thresholdText).join(', ') || 'None',
} as const
const yesOrNo = (value: boolean) => (value ? 'Yes' : 'No')
const FIELDS: Fields<Values> = {
  recipients: { label: 'Recipients', text: (people) => [...people].sort().join('\n') || 'Nobody' },
  leadDays: { label: 'Days before the end', text: (days) => days.join(', ') || 'None' },
  elastic: { label: 'Elastic balances', ...THRESHOLDS },
  fsa: { label: 'Spending account balances', ...THRESHOLDS },
  budgets: {
    label: 'Budgets',
    newRow: { by: 'project', name: '', amount: '' },
    byRow: { keyOf: ({ by, name }) => `${by} ${name}`, text: ({ amount }) => amount, absent: 'No budget' },
  },
  seatDenials: { label: 'Users who are turned away', text: yesOrNo },
  silentServers: { label: 'License servers that no longer report', text: yesOrNo },
}

const READ_ONLY =
  'You can see the reminders, but not change them. Only Administrators and Support Coordinators of this account can.'
const MEASURES = [
  { value: 'percent', label: 'Percent of the total' },
  { value: 'amount', label: 'Amount' },
]
const WHOSE = [
  { value: 'project', label: 'Project' },
  { value: 'user', label: 'User' },
]

const toReminders = (values: Values): Reminders => ({ ...values, leadDays: values.leadDays.map(Number) })
const toValues = ({ revision, ...reminders }: SavedReminders): Values => ({
  ...reminders,
  leadDays: reminders.leadDays.map(String),
})

export function RemindersForm({ customerNumber, loaded }: { customerNumber: string; loaded: LoadedReminders }) {
  const queries = useQueryClient()
  const form = useForm({
    loaded: loaded.reminders,
    valuesOf: toValues,
    fields: FIELDS,
    validate: (values) => reminderErrors(toReminders(values)),
    save: (values, before, key) =>
      saveReminders(customerNumber, tidiedReminders(toReminders(values)), before.revision, key),
    success: 'The reminders have been saved.',
    onSaved: (reminders) =>
      queries.setQueryData(remindersQuery(customerNumber).queryKey, (now) => now && { ...now, reminders }),
    refusals: { NOT_A_CONTACT: 'recipients' },
    readOnly: useCan('reminders.write') ? undefined : READ_ONLY,
    draftName: `reminders:${customerNumber}`,
  })
  const { leadDays } = form.values
  useAddressRequest('add', (days) => {
    if (form.readOnly === undefined && !leadDays.includes(days)) form.change('leadDays', [...leadDays, days])
  })
  const checkbox = (name: 'seatDenials' | 'silentServers') => {
    const { value, onChange, ...field } = form.field(name)
    return {
      ...field,
      checked: value,
      onChange: (event: { currentTarget: { checked: boolean } }) => onChange(event.currentTarget.checked),
    }
  }
  const people = [...new Set([...loaded.contacts, ...loaded.reminders.recipients])]
  return (
    <Form form={form}>
      <MultiSelect
        {...form.field('recipients')}
        label="Recipients"
        description="Contacts of this account who get the emails. Former contacts receive nothing."
        data={people}
        searchable
        nothingFoundMessage="No contact found"
        placeholder={form.values.recipients.length === 0 ? 'Choose contacts' : ''}
      />
      <Part title="Licenses that end">
        <TagsInput
          {...form.field('leadDays')}
          label="Days before the end"
          description="One email per entitlement and interval; the end date counts as a day."
          placeholder={form.values.leadDays.length === 0 ? 'For example 90, 30 and 7' : ''}
          splitChars={[',', ';', ' ']}
          acceptValueOnBlur
          maxTags={MAX_LEAD_TIMES}
          inputMode="numeric"
        />
      </Part>
      <Part
        title="Balances that run low"
        about="An email is sent once for each balance and threshold, when this much or less is left. If several are crossed at the same time, one email names the lowest. An amount is in the units or the currency of each balance."
      >
        <Thresholds rows={form.rows('elastic')} label="Elastic balances" />
        <Thresholds rows={form.rows('fsa')} label="Spending account balances" />
      </Part>
      <Part
        title="Budgets"
        about="What a project or a user can spend on elastic licenses in a calendar month. Budgets only warn: nobody is stopped."
      >
        <Budgets rows={form.rows('budgets')} />
      </Part>
      <Part title="License servers">
        <Checkbox
          {...checkbox('seatDenials')}
          label="Users who are turned away"
          description="An email is sent once a day for each feature of which all seats were in use."
        />
        <Checkbox
          {...checkbox('silentServers')}
          label="License servers that no longer report"
          description="An email is sent when a license server that reported before has not reported for a day."
        />
      </Part>
      <FormFooter />
    </Form>
  )
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className={classes.part} aria-label={title}>
      <Title order={3}>{title}</Title>
      {about && <p className={classes.about}>{about}</p>}
      {children}
    </section>
  )
}

function Thresholds({ rows, label }: { rows: Rows<Threshold>; label: string }) {
  return (
    <div>
      <h4 className={classes.label}>{label}</h4>
      <FormRows
        rows={rows}
        label={label}
        add="Add threshold"
        max={MAX_THRESHOLDS}
        nameOf={({ value }, index) => (value ? `threshold ${value}` : `threshold ${index + 1}`)}
        columns={[
          {
            label: 'Measure',
            text: ({ measure }) => (measure === 'percent' ? 'Percent of the total' : 'Amount'),
            input: (row) => <NativeSelect {...row.field('measure')} aria-label="Measure" data={MEASURES} />,
          },
          {
            label: 'Left',
            text: thresholdText,
            input: (row) => (
              <TextInput
                {...row.field('value')}
                aria-label={row.value.measure === 'percent' ? 'Percent left' : 'Amount left'}
                inputMode="decimal"
                maxLength={20}
                rightSection={row.value.measure === 'percent' ? '%' : undefined}
              />
            ),
          },
        ]}
      />
    </div>
  )
}

function Budgets({ rows }: { rows: Rows<Budget> }) {
  return (
    <FormRows
      rows={rows}
      label="Budgets"
      add="Add budget"
      max={MAX_BUDGETS}
      nameOf={({ by, name }, index) => (name.trim() ? `the budget of ${by} ${name.trim()}` : `budget ${index + 1}`)}
      columns={[
        {
          label: 'For',
          width: '9rem',
          text: ({ by }) => (by === 'project' ? 'Project' : 'User'),
          input: (row) => <NativeSelect {...row.field('by')} aria-label="For" data={WHOSE} />,
        },
        {
          label: 'Name',
          text: ({ name }) => name,
          input: (row) => <TextInput {...row.field('name')} aria-label="Name" maxLength={MAX_BUDGET_NAME} />,
        },
        {
          label: 'Per month',
          width: '10rem',
          text: ({ amount }) => amount,
          input: (row) => (
            <TextInput {...row.field('amount')} aria-label="Per month" inputMode="decimal" maxLength={20} />
          ),
        },
      ]}
    />
  )
}
