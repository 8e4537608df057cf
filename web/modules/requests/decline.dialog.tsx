import { Text, Textarea } from '@mantine/core'
import { MAX_REASON } from '#domain/requests/request.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { wantedText } from '#web/modules/requests/request-columns.tsx'
import { type LicenseRequest, useReloadAfterDecision } from '#web/modules/requests/requests.api.ts'

type Values = { reason: string }
const FIELDS: Fields<Values> = { reason: { label: 'Reason' } }

export function DeclineDialog({ request, onClose }: { request: LicenseRequest; onClose(): void }) {
  const { number } = useKnownCustomer()
  const reload = useReloadAfterDecision()
  const form = useForm<Values, Values>({
    loaded: { reason: '' },
    valuesOf: ({ reason }) => ({ reason }),
    fields: FIELDS,
    validate: ({ reason }) => ({ reason: reason.trim() === '' ? 'Say why.' : undefined }),
    save: async (values, _, key) => {
      const { id, revision } = request
      await call('requests/decline', {
        body: { customerNumber: number, id, revision, reason: values.reason },
        idempotencyKey: key,
      })
      return values
    },
    success: 'The request was declined.',
    unchanged: 'Enter a reason.',
    isInDialog: true,
    onSaved() {
      void reload()
      onClose()
    },
  })
  return (
    <FormDialog form={form} title="Decline the request" size={520} onClose={onClose}>
      <Text>
        {wantedText(request)}, requested by {request.requestedBy}.
      </Text>
      <Textarea
        {...form.field('reason')}
        label="Reason"
        description={`${request.requestedBy} gets it by email.`}
        maxLength={MAX_REASON}
        autosize
        minRows={3}
        data-autofocus
      />
      <FormFooter save="Decline" onClose={onClose} />
    </FormDialog>
  )
}
