import { NumberInput, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SavedReviewSettings } from '#contract/access-review/access-review.ts'
import {
  MAX_DUE_DAYS,
  MIN_DUE_DAYS,
  PERIOD_TEXTS,
  REVIEW_PERIODS,
  type ReviewPeriod,
  type ReviewSettings,
} from '#domain/access-review/schedule.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { settingsQuery, stateQuery } from '#web/modules/access-review/access-review.api.ts'

type Values = { [K in keyof ReviewSettings]: ReviewSettings[K] }
const FIELDS: Fields<Values> = {
  every: { label: 'Open a review', text: (every) => PERIOD_TEXTS[every] },
  dueDays: { label: 'Days to decide' },
}

export function ScheduleForm({ customerNumber, settings }: { customerNumber: string; settings: SavedReviewSettings }) {
  const queries = useQueryClient()
  const form = useForm<Values, SavedReviewSettings>({
    loaded: settings,
    valuesOf: ({ every, dueDays }) => ({ every, dueDays }),
    fields: FIELDS,
    validate: ({ dueDays }) => ({
      dueDays:
        Number.isInteger(dueDays) && dueDays >= MIN_DUE_DAYS && dueDays <= MAX_DUE_DAYS
          ? undefined
          : `Enter ${MIN_DUE_DAYS} to ${MAX_DUE_DAYS} days.`,
    }),
    save: (values, before, key) =>
      call('access-review/settings/save', {
        body: { customerNumber, settings: values, revision: before.revision },
        idempotencyKey: key,
      }),
    success: 'The schedule has been saved.',
    onSaved(saved) {
      queries.setQueryData(settingsQuery(customerNumber).queryKey, saved)
      void queries.invalidateQueries({ queryKey: stateQuery(customerNumber).queryKey })
    },
  })
  const { value: every, onChange: chooseEvery, ...everyField } = form.field('every')
  return (
    <Form form={form}>
      <Select
        {...everyField}
        label="Open a review"
        description="The days count from the end of the last review. Administrators get an email."
        allowDeselect={false}
        data={REVIEW_PERIODS.map((period) => ({ value: String(period), label: PERIOD_TEXTS[period] }))}
        value={String(every)}
        onChange={(value) => chooseEvery(Number(value) as ReviewPeriod)}
      />
      <NumberInput
        {...form.field('dueDays')}
        onChange={(value) => form.field('dueDays').onChange(Number(value))}
        label="Days to decide"
        description="Emails remind of the due day 7 days and 1 day before, and on the day itself."
        min={MIN_DUE_DAYS}
        max={MAX_DUE_DAYS}
        allowDecimal={false}
      />
      <FormFooter save="Save schedule" />
    </Form>
  )
}
