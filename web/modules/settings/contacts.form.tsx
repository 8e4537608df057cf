import { NativeSelect, TextInput, Tooltip } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { SUPPORT_COORDINATOR } from '#domain/access/roles.ts'
import { type Contact, type ContactDraft, contactChanges, isLocked, offeredRoles } from '#domain/settings/contacts.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { FormRows } from '#web/form/form-rows.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { contactFormErrors } from '#web/modules/settings/contact-form-errors.ts'
import { contactsQuery, saveContacts } from '#web/modules/settings/portal-access.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'

type Values = { contacts: readonly ContactDraft[] }

const FIELDS: Fields<Values> = {
  contacts: {
    label: 'Contacts',
    newRow: { email: '', role: '' },
    byRow: { keyOf: ({ email }) => normalizedEmail(email), text: ({ role }) => role, absent: 'Not a contact' },
  },
}

const READ_ONLY =
  'You can see the contacts, but not change them: that is up to Administrators and Support Coordinators of this account.'
const CHANGES_OWN_ROLE = 'This changes your own access to this account. Do you wish to continue?'

export function ContactsForm({ loaded }: { loaded: Contact[] }) {
  const { number, reload } = useKnownCustomer()
  const { user } = useSignedIn()
  const queries = useQueryClient()
  const mayGrantCoordinator = useCan('contacts.grant-coordinator')
  const form = useForm({
    loaded,
    valuesOf: (contacts): Values => ({ contacts }),
    fields: FIELDS,
    validate: ({ contacts }) => contactFormErrors(contacts),
    // Without errors, every contact has one of the roles.
    save: ({ contacts }, before, key) => saveContacts(number, contacts as Contact[], before, key),
    success: 'Portal access has been saved.',
    onSaved: (saved, before) => {
      queries.setQueryData(contactsQuery(number).queryKey, saved)
      if (changesRoleOf(user.email, before, saved)) reload()
    },
    confirm: async ({ contacts }, before) =>
      !changesRoleOf(user.email, before, contacts) || confirm(CHANGES_OWN_ROLE, 'Change my access'),
    refusals: { LAST_ADMINISTRATOR: 'contacts' },
    readOnly: useCan('contacts.write') ? undefined : READ_ONLY,
  })
  return (
    <Form form={form}>
      <FormRows
        rows={form.rows('contacts')}
        label="Contacts"
        add="Add contact"
        none="This account has no contacts."
        nameOf={nameOf}
        isReadOnly={(contact) => isLocked(contact, mayGrantCoordinator)}
        columns={[
          {
            label: 'Email',
            text: ({ email }) => email,
            input: (row) => (
              <TextInput
                {...row.field('email')}
                aria-label="Email"
                type="email"
                placeholder="name@company.com"
                maxLength={320}
                title={row.value.email}
              />
            ),
          },
          {
            label: 'Role',
            text: roleText,
            input: (row) => (
              <NativeSelect
                {...row.field('role')}
                aria-label={`Role of ${nameOf(row.value)}`}
                data={[{ value: '', label: 'Choose a role', disabled: true }, ...offeredRoles(mayGrantCoordinator)]}
                title={row.value.role}
              />
            ),
          },
        ]}
      />
      <FormFooter summary={changesText(form.original, form.values.contacts)} />
    </Form>
  )
}

const nameOf = ({ email }: ContactDraft) => email || 'the new contact'

const LOCKED = 'Support Coordinators are appointed through the account manager.'

function roleText({ role }: ContactDraft) {
  return (
    <>
      {role}
      {role === SUPPORT_COORDINATOR && (
        <Tooltip label={LOCKED}>
          <IconLock size={15} role="img" aria-label={`Locked: ${LOCKED}`} />
        </Tooltip>
      )}
    </>
  )
}

/** What saving will do: "1 added, 2 removed". */
function changesText(before: readonly Contact[], after: readonly ContactDraft[]): string {
  const { added, removed, changed } = contactChanges(normalized(before), normalized(after))
  const counts = { added, removed, changed }
  return Object.entries(counts)
    .filter(([, { length }]) => length > 0)
    .map(([what, { length }]) => `${length} ${what}`)
    .join(', ')
}

const normalized = (contacts: readonly ContactDraft[]) =>
  contacts.map(({ email, role }) => ({ email: normalizedEmail(email), role }) as Contact)

/** Whether this contact gets another role, or none. */
function changesRoleOf(email: string, before: readonly Contact[], after: readonly ContactDraft[]): boolean {
  const { removed, changed } = contactChanges(normalized(before), normalized(after))
  return [...removed, ...changed.map((change) => change.after)].some((one) => one.email === normalizedEmail(email))
}
