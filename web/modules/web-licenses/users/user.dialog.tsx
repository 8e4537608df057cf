import { TextInput } from '@mantine/core'
import type { WebUser } from '#contract/web-licenses/web-lists.ts'
import { EMAIL_FORMAT, EMAIL_REQUIRED, readEmail } from '#domain/settings/email-address.ts'
import { MAX_NAME, userNameError } from '#domain/web-licenses/web-user.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { sendUsers, useReload } from '#web/modules/web-licenses/web-licenses.api.ts'

type Values = { email: string; name: string }
const FIELDS: Fields<Values> = { email: { label: 'Email' }, name: { label: 'Name' } }

type Props = { user: WebUser | undefined; onClose(): void }

/** Adds a user, or changes the name of one. */
export function UserDialog({ user, onClose }: Props) {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  const form = useForm<Values, Values>({
    loaded: { email: user?.email ?? '', name: user?.name ?? '' },
    valuesOf: ({ email, name }) => ({ email, name }),
    fields: FIELDS,
    validate: ({ email, name }) => ({ email: emailProblem(email), name: userNameError(name) }),
    save: async (values, _, key) => {
      await sendUsers({ customerNumber: number, users: [values] }, key)
      return values
    },
    success: user ? 'The user has been saved.' : 'The user has been added.',
    refusals: { INVALID_EMAIL: 'email', INVALID_NAME: 'name' },
    isInDialog: true,
    onSaved() {
      void reload()
      onClose()
    },
  })
  const email = form.field('email')
  return (
    <FormDialog form={form} title={user ? `Edit ${user.email}` : 'Add user'} size={500} onClose={onClose}>
      <TextInput
        {...email}
        label="Email"
        inputMode="email"
        maxLength={254}
        spellCheck={false}
        disabled={email.disabled || user !== undefined}
        data-autofocus={!user || undefined}
      />
      <TextInput
        {...form.field('name')}
        label="Name"
        maxLength={MAX_NAME}
        data-autofocus={Boolean(user) || undefined}
      />
      <FormFooter save={user ? 'Save' : 'Add user'} onClose={onClose} />
    </FormDialog>
  )
}

function emailProblem(text: string): string | undefined {
  if (text.trim() === '') return EMAIL_REQUIRED
  return readEmail(text) === undefined ? EMAIL_FORMAT : undefined
}
