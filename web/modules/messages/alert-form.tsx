import '@mantine/dates/styles.layer.css'
import { NativeSelect, Stack, TagsInput, Textarea } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { useQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { useState } from 'react'
import {
  alertErrors,
  DATE_REQUIRED,
  DESCRIPTION_REQUIRED,
  EXPIRES_TOO_EARLY,
  SERVICE_REQUIRED,
} from '#domain/messages/alert-draft.ts'
import { ALERT_CATEGORIES, ALERT_LABELS, type AlertCategory, type AlertStatus } from '#domain/messages/alerts.ts'
import { AlertLinksField } from '#web/modules/messages/alert-links-field.tsx'
import { type AlertFormDraft, writtenIn } from '#web/modules/messages/alert-versions.ts'
import { alertServicesQuery } from '#web/modules/messages/alerts.api.ts'
import classes from './alerts.module.css'

const FORMAT = 'YYYY-MM-DD H:mm'
const CATEGORIES = ALERT_CATEGORIES.toReversed().map((value) => ({ value, label: ALERT_LABELS[value] }))

type Props = { draft: AlertFormDraft; status: AlertStatus; onChange(part: Partial<AlertFormDraft>): void }

export function AlertForm({ draft, status, onChange }: Props) {
  const { data: services = [] } = useQuery(alertServicesQuery)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const leave = (field: string) => () => setLeft((now) => new Set(now).add(field))
  const errors = alertErrors(writtenIn(draft), status)
  /** Beside its field, once that has been left. */
  const faultIn = (field: string, error: string) => left.has(field) && errors.includes(error) && error
  return (
    <Stack gap="sm">
      <NativeSelect
        label="Category"
        data-autofocus
        data={CATEGORIES}
        value={draft.category}
        onChange={(event) => onChange({ category: event.currentTarget.value as AlertCategory })}
      />
      <div className={classes.when}>
        <DateTimePicker
          label="Date"
          required
          valueFormat={FORMAT}
          placeholder={FORMAT}
          value={wallTime(draft.date)}
          error={faultIn('date', DATE_REQUIRED)}
          onBlur={leave('date')}
          onChange={(time) => onChange({ date: instantOf(time) ?? '' })}
        />
        <DateTimePicker
          label="Expires"
          clearable
          clearButtonProps={{ 'aria-label': 'Never expires' }}
          valueFormat={FORMAT}
          placeholder="Never"
          value={wallTime(draft.expires)}
          error={errors.includes(EXPIRES_TOO_EARLY) && EXPIRES_TOO_EARLY}
          onChange={(time) => onChange({ expires: instantOf(time) })}
        />
      </div>
      <TagsInput
        label="Services"
        required
        placeholder={draft.service.length === 0 ? 'Choose or type, Enter adds' : ''}
        data={services}
        acceptValueOnBlur
        value={draft.service}
        error={faultIn('service', SERVICE_REQUIRED)}
        onBlur={leave('service')}
        onChange={(service) => onChange({ service })}
      />
      <Textarea
        label="Description"
        required
        autosize
        minRows={3}
        maxRows={10}
        maxLength={4000}
        value={draft.description}
        error={faultIn('description', DESCRIPTION_REQUIRED)}
        onBlur={leave('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <AlertLinksField links={draft.links} onChange={(links) => onChange({ links })} />
    </Stack>
  )
}

/** As the picker wants it: wall-clock time of the reader. */
function wallTime(instant: string | null): string | null {
  return instant ? dayjs(instant).format('YYYY-MM-DD HH:mm:ss') : null
}

function instantOf(wall: string | null): string | null {
  return wall && dayjs(wall).toISOString()
}
