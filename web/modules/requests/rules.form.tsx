import { Checkbox, NumberInput, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SavedRules } from '#contract/requests/requests.ts'
import { ASKERS, type Askers, MAX_DAYS, type RequestRules } from '#domain/requests/request.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { rulesQuery } from '#web/modules/requests/requests.api.ts'

const ASKER_TEXTS: Readonly<Record<Askers, string>> = {
  nobody: 'Nobody',
  viewers: 'People who can only look',
  'viewers-and-web-users': 'People who can only look, and web users',
}
const yesOrNo = (value: boolean) => (value ? 'Yes' : 'No')

type Values = { [K in keyof RequestRules]: RequestRules[K] }
const FIELDS: Fields<Values> = {
  askers: { label: 'Who can send requests', text: (askers) => ASKER_TEXTS[askers] },
  approveWebLicenses: { label: 'Approve web licenses while seats are free', text: yesOrNo },
  approveSeats: { label: 'Approve seats on license servers while seats are free', text: yesOrNo },
  days: { label: 'Days until a request expires' },
}

/** Who may ask on an account, and what is approved without a decision. */
export function RulesForm({ customerNumber, rules }: { customerNumber: string; rules: SavedRules }) {
  const queries = useQueryClient()
  const form = useForm<Values, SavedRules>({
    loaded: rules,
    valuesOf: ({ askers, approveWebLicenses, approveSeats, days }) => ({
      askers,
      approveWebLicenses,
      approveSeats,
      days,
    }),
    fields: FIELDS,
    validate: ({ days }) => ({
      days: Number.isInteger(days) && days >= 1 && days <= MAX_DAYS ? undefined : `Enter 1 to ${MAX_DAYS} days.`,
    }),
    save: (values, before, key) =>
      call('requests/rules/save', {
        body: { customerNumber, rules: values, revision: before.revision },
        idempotencyKey: key,
      }),
    success: 'The rules have been saved.',
    onSaved: (saved) => queries.setQueryData(rulesQuery(customerNumber).queryKey, saved),
  })
  const checkbox = (name: 'approveWebLicenses' | 'approveSeats') => {
    const { value, onChange, ...field } = form.field(name)
    return {
      ...field,
      checked: value,
      onChange: (event: { currentTarget: { checked: boolean } }) => onChange(event.currentTarget.checked),
    }
  }
  return (
    <Form form={form}>
      <Select
        {...form.field('askers')}
        label="Who can send requests"
        allowDeselect={false}
        data={ASKERS.map((value) => ({ value, label: ASKER_TEXTS[value] }))}
      />
      <Checkbox
        {...checkbox('approveWebLicenses')}
        label="Approve web licenses at once while seats are free"
        description="A person gets a license for themselves only. Requests for others wait for you."
      />
      <Checkbox
        {...checkbox('approveSeats')}
        label="Approve seats on license servers at once while seats are free"
        description="Orders always wait for you, because they cost money."
      />
      <NumberInput
        {...form.field('days')}
        onChange={(value) => form.field('days').onChange(Number(value))}
        label="Days until a request expires"
        min={1}
        max={MAX_DAYS}
        allowDecimal={false}
      />
      <FormFooter save="Save rules" />
    </Form>
  )
}
