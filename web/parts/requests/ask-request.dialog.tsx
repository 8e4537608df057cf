import { NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { MAX_QUANTITY, MAX_REASON, type RequestKind } from '#domain/requests/request.ts'
import { EMAIL_FORMAT, EMAIL_REQUIRED, readEmail } from '#domain/settings/email-address.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { useRequestItems } from '#web/parts/requests/request-items.ts'
import { showPanel } from '#web/ui/panels.ts'

type Values = { item: string | null; quantity: number | null; user: string; reason: string }
const FIELDS: Fields<Values> = {
  item: { label: 'Product', text: (item) => item ?? '' },
  quantity: { label: 'Seats' },
  user: { label: 'User' },
  reason: { label: 'Reason' },
}

type Props = {
  kind: RequestKind
  server: { readonly serverId: string; readonly name: string } | undefined
  title: string
  onClose(): void
}

/** Asks for a web license, for seats on a license server, or for an order. */
export function AskRequestDialog({ kind, server, title, onClose }: Props) {
  const { number } = useKnownCustomer()
  const { user } = useSignedIn()
  const queries = useQueryClient()
  const { data: items = [], isLoading, error } = useRequestItems(kind)
  const isForUser = kind === 'web-license'
  const form = useForm<Values, Values & { isByRule?: boolean }>({
    loaded: { item: null, quantity: 1, user: user.email, reason: '' },
    valuesOf: ({ item, quantity, user, reason }) => ({ item, quantity, user, reason }),
    fields: FIELDS,
    validate: ({ item, quantity, user }) => ({
      item: item === null ? 'Choose a product.' : undefined,
      quantity: isForUser ? undefined : quantityProblem(quantity),
      user: isForUser ? userProblem(user) : undefined,
    }),
    save: async (values, _, idempotencyKey) => {
      const chosen = items.find(({ key }) => key === values.item)
      const body = {
        customerNumber: number,
        kind,
        item: chosen?.item ?? '',
        target: isForUser ? values.user : (server?.serverId ?? chosen?.target ?? ''),
        quantity: isForUser ? 1 : (values.quantity ?? 1),
        reason: values.reason,
      }
      const { isByRule } = await call('requests/ask', { body, idempotencyKey })
      return { ...values, isByRule }
    },
    success: 'Your request was sent. You get an email when it is decided.',
    refusals: {
      INVALID_EMAIL: 'user',
      ALREADY_ASSIGNED: 'user',
      NO_SUCH_ACTIVATION: 'item',
      ENTITLEMENT_EXPIRED: 'item',
      ALREADY_REQUESTED: 'item',
    },
    unchanged: 'Choose a product.',
    isInDialog: true,
    onSaved({ isByRule }) {
      if (isByRule) showPanel('success', 'A rule of the account has approved your request. It is done.')
      void queries.invalidateQueries({ queryKey: ['requests', number] })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={server ? `${title} on ${server.name}` : title} size={520} onClose={onClose}>
      <Select
        {...form.field('item')}
        label="Product"
        placeholder={isLoading ? 'Loading…' : 'Choose what you need'}
        searchable
        data={items.map(({ key, label }) => ({ value: key, label }))}
        nothingFoundMessage={error ? 'The products could not be loaded.' : 'No product has this name.'}
        data-autofocus
      />
      {isForUser ? (
        <TextInput {...form.field('user')} label="User" inputMode="email" maxLength={254} spellCheck={false} />
      ) : (
        <NumberInput
          {...form.field('quantity')}
          value={form.values.quantity ?? ''}
          onChange={(value) => form.field('quantity').onChange(typeof value === 'number' ? value : null)}
          label="Seats"
          min={1}
          max={MAX_QUANTITY}
          allowDecimal={false}
        />
      )}
      <Textarea
        {...form.field('reason')}
        label="Reason"
        description="Administrators of the account read it."
        maxLength={MAX_REASON}
        autosize
        minRows={3}
      />
      <FormFooter save="Send request" onClose={onClose} />
    </FormDialog>
  )
}

function quantityProblem(quantity: number | null): string | undefined {
  const isValid = quantity !== null && Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_QUANTITY
  return isValid ? undefined : 'Enter a whole number of seats.'
}

function userProblem(user: string): string | undefined {
  if (user.trim() === '') return EMAIL_REQUIRED
  return readEmail(user) === undefined ? EMAIL_FORMAT : undefined
}
