import { Checkbox, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { OptionsFile, SavedReservation } from '#contract/options-files/options-files.ts'
import { isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { reservedInFile } from '#domain/options-files/check-options.ts'
import { readOptionsRules } from '#domain/options-files/options-document.ts'
import {
  ALL_WEEKDAYS,
  isSameFeature,
  type Reservation,
  reservationProblem,
} from '#domain/options-files/reservations.ts'
import type { Errors, Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import type { FileName } from '#web/modules/options-files/options-files.api.ts'
import { WEEKDAYS } from '#web/modules/options-files/weekdays.ts'

type Values = {
  feature: string
  group: string
  seats: number | string
  from: string
  to: string
  weekdays: string[]
}
/** A new reservation has no revision yet. */
type Saved = Reservation & { readonly revision: number }

const FIELDS: Fields<Values> = {
  feature: { label: 'Feature' },
  group: { label: 'Group' },
  seats: { label: 'Seats', text: String },
  from: { label: 'From' },
  to: { label: 'To' },
  weekdays: { label: 'On' },
}

type Props = {
  name: FileName
  file: OptionsFile
  /** Undefined: a new one. */
  reservation: SavedReservation | undefined
  onClose(): void
  onSaved(): void
}

export function ReservationDialog({ name, file, reservation, onClose, onSaved }: Props) {
  const { features, today } = file
  const reading = readOptionsRules(file.text)
  const groups = reading.groups.map((group) => group.name)
  const counted = features.filter(({ seats }) => (seats ?? 0) > 0)
  const seatsOf = (feature: string) => features.find((one) => isSameFeature(one.feature, feature))?.seats ?? null
  const form = useForm<Values, Saved>({
    loaded: reservation ?? {
      feature: counted[0]?.feature ?? '',
      group: groups[0] ?? '',
      seats: 1,
      from: today,
      to: today,
      weekdays: ALL_WEEKDAYS,
      revision: 0,
    },
    valuesOf: ({ feature, group, seats, from, to, weekdays }) => ({
      feature,
      group,
      seats,
      from,
      to,
      weekdays: weekdays.map(String),
    }),
    fields: FIELDS,
    canSaveUnchanged: reservation === undefined,
    validate: (values) => errorsIn(values),
    async save(values, { revision }, idempotencyKey) {
      const body = { ...name, ...toReservation(values), weekdays: values.weekdays.map(Number) }
      return call('license-servers/options/reservations/save', {
        body: { ...body, ...(reservation && { id: reservation.id, revision }) },
        idempotencyKey,
      })
    },
    success: 'The seats are reserved.',
    refusals: { RESERVATION_REFUSED: 'seats' },
    isInDialog: true,
    onSaved,
  })

  function errorsIn(values: Values): Errors {
    if (!(Number.isInteger(Number(values.seats)) && Number(values.seats) > 0))
      return { seats: 'Enter a whole number above 0.' }
    if (!isCalendarDay(values.from)) return { from: 'Choose a day.' }
    if (!isCalendarDay(values.to)) return { to: 'Choose a day.' }
    if (values.weekdays.length === 0) return { weekdays: 'Choose at least one day of the week.' }
    const problem = reservationProblem(toReservation(values), {
      others: file.reservations.filter(({ id }) => id !== reservation?.id),
      seats: seatsOf(values.feature),
      reservedInFile: reservedInFile(reading, values.feature),
      groups,
      today,
    })
    return { seats: problem }
  }

  const seats = seatsOf(form.values.feature)
  return (
    <FormDialog form={form} title={reservation ? 'Change reservation' : 'Reserve seats'} onClose={onClose}>
      <NativeSelect {...form.field('feature')} label="Feature" data={[...new Set(counted.map((one) => one.feature))]} />
      <NativeSelect {...form.field('group')} label="Group" description="A user group of the saved file" data={groups} />
      <NumberInput
        {...form.field('seats')}
        label="Seats"
        description={seats === null ? undefined : `Of ${seats}`}
        min={1}
        allowDecimal={false}
      />
      <Group grow align="flex-start">
        <TextInput {...form.field('from')} label="From" type="date" />
        <TextInput {...form.field('to')} label="To" type="date" />
      </Group>
      <Checkbox.Group {...form.field('weekdays')} label="On">
        <Group gap="0.75rem" mt="0.25rem">
          {WEEKDAYS.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} disabled={form.isLocked} />
          ))}
        </Group>
      </Checkbox.Group>
      <FormFooter save="Reserve" onClose={onClose} />
    </FormDialog>
  )
}

const toReservation = ({ feature, group, seats, from, to, weekdays }: Values): Reservation => ({
  feature,
  group,
  seats: Number(seats),
  from,
  to,
  weekdays: weekdays.map(Number),
})
