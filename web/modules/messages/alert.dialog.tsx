import { Input, NativeSelect, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlertDraft } from '#domain/messages/alert-draft.ts'
import { ALERT_CATEGORIES, ALERT_LABELS } from '#domain/messages/alerts.ts'
import { DateTimeField } from '#web/form/date-time-field.tsx'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { FormRows } from '#web/form/form-rows.tsx'
import { useForm } from '#web/form/use-form.ts'
import { ZONE_NOTE } from '#web/lib/format.ts'
import { ALERT_FIELDS, alertDraft, alertFormErrors } from '#web/modules/messages/alert.form.ts'
import { AlertPreview } from '#web/modules/messages/alert-preview.tsx'
import {
  type AlertRecord,
  alertQuery,
  alertServicesQuery,
  reloadAlerts,
  saveAlert,
} from '#web/modules/messages/alerts.api.ts'
import { joinWithAnd } from '#web/modules/messages/banner-text.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import classes from './alerts.module.css'

const CATEGORIES = ALERT_CATEGORIES.toReversed().map((value) => ({ value, label: ALERT_LABELS[value] }))
const MAX_LINKS = 20

type Props = {
  /** None for a new alert. */
  alert?: AlertRecord
  onClose(): void
}

/** Writes or edits an alert. A change by somebody else appears when the alert is saved. */
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
    confirm: async (draft) => alert !== undefined || confirmPublishing(draft),
    draftName: `alert:${alert?.id ?? 'new'}`,
    isInDialog: true,
  })
  const { service, date, expires } = form.values
  return (
    <FormDialog form={form} title={alert ? 'Edit alert' : 'New alert'} size="xl" onClose={onClose}>
      <NativeSelect {...form.field('category')} label="Category" data-autofocus data={CATEGORIES} />
      <div className={classes.when}>
        <DateTimeField
          {...form.field('date')}
          label="Date"
          required
          description={ZONE_NOTE}
          value={date}
          onChange={(time) => form.change('date', time ?? '')}
        />
        <DateTimeField
          {...form.field('expires')}
          label="Expires"
          description="Leave empty if the alert never expires."
          placeholder="Never"
          value={expires}
          onChange={(time) => form.change('expires', time)}
        />
      </div>
      <TagsInput
        {...form.field('service')}
        label="Services"
        required
        placeholder={service.length === 0 ? 'Choose a service, or type a name and press Enter' : ''}
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
      <AlertPreview draft={form.values} id={alert?.id} status={form.original?.status ?? 'ACTIVE'} />
      <FormFooter save={alert ? 'Save' : 'Publish'} onClose={onClose} />
    </FormDialog>
  )
}

/** Everybody sees an alert at once, so that a slip would be seen as well. */
function confirmPublishing(draft: AlertDraft): Promise<boolean> {
  return confirm(
    <>
      <Text mb="md">
        Everyone who uses the portal will see this alert: {ALERT_LABELS[draft.category]}, {joinWithAnd(draft.service)}.
      </Text>
      <AlertPreview draft={draft} status="ACTIVE" label="The banner after publishing" />
    </>,
    'Publish alert',
    { title: 'Publish this alert?', size: 'lg' },
  )
}
