import '@mantine/dates/styles.layer.css'
import { Input, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { useState } from 'react'
import { ALERT_CATEGORIES, ALERT_LABELS } from '#domain/messages/alerts.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { FormRows } from '#web/form/form-rows.tsx'
import { useForm } from '#web/form/use-form.ts'
import { ALERT_FIELDS, alertDraft, alertFormErrors } from '#web/modules/messages/alert.form.ts'
import { AlertPreview } from '#web/modules/messages/alert-preview.tsx'
import {
  type AlertRecord,
  alertQuery,
  alertServicesQuery,
  reloadAlerts,
  saveAlert,
} from '#web/modules/messages/alerts.api.ts'
import classes from './alerts.module.css'

const FORMAT = 'YYYY-MM-DD H:mm'
const CATEGORIES = ALERT_CATEGORIES.toReversed().map((value) => ({ value, label: ALERT_LABELS[value] }))
const MAX_LINKS = 20

type Props = {
  /** None means a new one. */
  alert?: AlertRecord
  onClose(): void
}

/** Where alerts are written. What others do to the alert meanwhile is shown when it is saved, not before. */
export function AlertDialog({ alert, onClose }: Props) {
  const queries = useQueryClient()
  const { data: services = [] } = useQuery(alertServicesQuery)
  const [blank] = useState(() => alertDraft(undefined))
  const form = useForm({
    loaded: alert,
    valuesOf: (saved: AlertRecord | undefined) => (saved ? alertDraft(saved) : blank),
    fields: ALERT_FIELDS,
    validate: (draft, base) => alertFormErrors(draft, base?.status ?? 'ACTIVE'),
    save: (draft, base, key) => saveAlert(draft, base, key),
    success: alert ? 'The alert has been changed.' : 'The alert has been published.',
    onSaved: (saved) => {
      if (saved) queries.setQueryData(alertQuery(saved.id).queryKey, saved)
      reloadAlerts(queries)
      onClose()
    },
    isInDialog: true,
  })
  const { service, date, expires } = form.values
  return (
    <FormDialog form={form} title={alert ? 'Edit alert' : 'New alert'} size="xl" onClose={onClose}>
      <NativeSelect {...form.field('category')} label="Category" data-autofocus data={CATEGORIES} />
      <div className={classes.when}>
        <DateTimePicker
          {...form.field('date')}
          label="Date"
          required
          valueFormat={FORMAT}
          placeholder={FORMAT}
          value={wallTime(date)}
          onChange={(time) => form.change('date', instantOf(time) ?? '')}
        />
        <DateTimePicker
          {...form.field('expires')}
          label="Expires"
          clearable
          clearButtonProps={{ 'aria-label': 'Never expires' }}
          valueFormat={FORMAT}
          placeholder="Never"
          value={wallTime(expires)}
          onChange={(time) => form.change('expires', instantOf(time))}
        />
      </div>
      <TagsInput
        {...form.field('service')}
        label="Services"
        required
        placeholder={service.length === 0 ? 'Choose one, or type a name and press Enter' : ''}
        data={services}
        acceptValueOnBlur
      />
      <Textarea
        {...form.field('description')}
        label="Description"
        required
        autosize
        minRows={3}
        maxRows={10}
        maxLength={4000}
      />
      <div>
        <Input.Label component="div">Links</Input.Label>
        <FormRows
          rows={form.rows('links')}
          label="Links"
          add="Add link"
          max={MAX_LINKS}
          nameOf={(_, index) => `link ${index + 1}`}
          columns={[
            {
              label: 'Text',
              width: '32%',
              text: ({ text }) => text,
              input: (row) => (
                <TextInput
                  {...row.field('text')}
                  aria-label={`Text of link ${row.index + 1}`}
                  placeholder="Text"
                  maxLength={200}
                />
              ),
            },
            {
              label: 'Address',
              text: ({ url }) => url,
              input: (row) => (
                <TextInput
                  {...row.field('url')}
                  aria-label={`Address of link ${row.index + 1}`}
                  placeholder="https://"
                  inputMode="url"
                  maxLength={2000}
                />
              ),
            },
          ]}
        />
      </div>
      <AlertPreview draft={form.values} status={form.original?.status ?? 'ACTIVE'} />
      <FormFooter save={alert ? 'Save' : 'Publish'} onClose={onClose} />
    </FormDialog>
  )
}

/** As the picker wants it: wall-clock time of the reader. */
function wallTime(instant: string | null): string | null {
  return instant ? dayjs(instant).format('YYYY-MM-DD HH:mm:ss') : null
}

function instantOf(wall: string | null): string | null {
  return wall && dayjs(wall).toISOString()
}
