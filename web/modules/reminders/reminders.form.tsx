import { Checkbox, MultiSelect, NativeSelect, TagsInput, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
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
import { isSame } from '#web/form/versions.ts'
import { useAddressRequest } from '#web/lib/address/use-address-request.ts'
import { useCan } from '#web/lib/customer.tsx'
import { remindersQuery, saveReminders } from '#web/modules/reminders/reminders.api.ts'

/** Lead times are typed one after the other. */
type Events = Pick<Reminders, 'recipients' | 'seatDenials' | 'silentServers'> & { readonly leadDays: readonly string[] }
type Balances = Pick<Reminders, 'elastic' | 'fsa'>
type Budgets = Pick<Reminders, 'budgets'>

const thresholdText = ({ measure, value }: Threshold) => (measure === 'percent' ? `${value}%` : value)
const THRESHOLDS = {
  newRow: { measure: 'percent', value: '' },
  text: (thresholds: readonly Threshold[]) => thresholds.map(thresholdText).join(', ') || 'None',
} as const
const yesOrNo = (value: boolean) => (value ? 'Yes' : 'No')
const EVENTS: Fields<Events> = {
  recipients: { label: 'Recipients', text: (people) => [...people].sort().join('\n') || 'Nobody' },
  leadDays: { label: 'Days before the end', text: (days) => days.join(', ') || 'None' },
  seatDenials: { label: 'Users who are turned away', text: yesOrNo },
  silentServers: { label: 'License servers that no longer report', text: yesOrNo },
}
const BALANCES: Fields<Balances> = {
  elastic: { label: 'Elastic balances', ...THRESHOLDS },
  fsa: { label: 'Spending account balances', ...THRESHOLDS },
}
const BUDGETS: Fields<Budgets> = {
  budgets: {
    label: 'Budgets',
    newRow: { by: 'project', name: '', amount: '' },
    byRow: { keyOf: ({ by, name }) => `${by} ${name}`, text: ({ amount }) => amount, absent: 'No budget' },
  },
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

type Props = { customerNumber: string; loaded: LoadedReminders }

type Part<Values> = {
  name: string
  fields: Fields<Values>
  valuesOf(saved: SavedReminders): Values
  toReminders(values: Values): Partial<Reminders>
}

const newest = (one: SavedReminders, other: SavedReminders) => (one.revision > other.revision ? one : other)

/**
 * The form of one card. The portal keeps all reminders of an account together, so a card is saved with the others as they
 * are now. Where somebody else has changed the same card, the revision that it was loaded with tells the portal.
 */
function usePart<Values extends object>({ customerNumber, loaded: { reminders: latest } }: Props, part: Part<Values>) {
  const queries = useQueryClient()
  const canWrite = useCan('reminders.write')
  const { name, fields, valuesOf, toReminders } = part
  return useForm<Values, SavedReminders>({
    loaded: latest,
    valuesOf,
    fields,
    validate: (values, original) => reminderErrors({ ...newest(original, latest), ...toReminders(values) }),
    save(values, before, key) {
      const now = newest(before, latest)
      const { revision, ...others } = isSame(fields, valuesOf(before), valuesOf(now)) ? now : before
      return saveReminders(customerNumber, tidiedReminders({ ...others, ...toReminders(values) }), revision, key)
    },
    success: 'The reminders have been saved.',
    onSaved: (reminders) =>
      queries.setQueryData(remindersQuery(customerNumber).queryKey, (now) => now && { ...now, reminders }),
    readOnly: canWrite ? undefined : READ_ONLY,
    draftName: `reminders:${customerNumber}:${name}`,
  })
}

export function EventsForm(props: Props) {
  const { loaded } = props
  const form = usePart<Events>(props, {
    name: 'events',
    fields: EVENTS,
    valuesOf: ({ recipients, leadDays, seatDenials, silentServers }) => ({
      recipients,
      leadDays: leadDays.map(String),
      seatDenials,
      silentServers,
    }),
    toReminders: (values) => ({ ...values, leadDays: values.leadDays.map(Number) }),
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
  return (
    <Form form={form}>
      <MultiSelect
        {...form.field('recipients')}
        label="Recipients"
        description="Contacts of this account who get the emails. Former contacts receive nothing."
        data={[...new Set([...loaded.contacts, ...loaded.reminders.recipients])]}
        searchable
        nothingFoundMessage="No contact found"
        placeholder={form.values.recipients.length === 0 ? 'Choose contacts' : ''}
      />
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
      <Checkbox
        {...checkbox('seatDenials')}
        label="Users who are turned away"
        description="Once a day for each feature of which all seats were in use."
      />
      <Checkbox
        {...checkbox('silentServers')}
        label="License servers that no longer report"
        description="When a license server that reported before has not reported for a day."
      />
      <FormFooter />
    </Form>
  )
}

export function BalancesForm(props: Props) {
  const form = usePart<Balances>(props, {
    name: 'balances',
    fields: BALANCES,
    valuesOf: ({ elastic, fsa }) => ({ elastic, fsa }),
    toReminders: (values) => values,
  })
  return (
    <Form form={form} isReasonHidden>
      <Thresholds rows={form.rows('elastic')} label="Elastic balances" />
      <Thresholds rows={form.rows('fsa')} label="Spending account balances" />
      <FormFooter />
    </Form>
  )
}

export function BudgetsForm(props: Props) {
  const form = usePart<Budgets>(props, {
    name: 'budgets',
    fields: BUDGETS,
    valuesOf: ({ budgets }) => ({ budgets }),
    toReminders: (values) => values,
  })
  return (
    <Form form={form} isReasonHidden>
      <BudgetRows rows={form.rows('budgets')} />
      <FormFooter />
    </Form>
  )
}

function Thresholds({ rows, label }: { rows: Rows<Threshold>; label: string }) {
  return (
    <div>
      <Title order={3} fz="sm">
        {label}
      </Title>
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

function BudgetRows({ rows }: { rows: Rows<Budget> }) {
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
