import { Badge, NativeSelect, TextInput } from '@mantine/core'
import { IconLock, IconSearch } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { MANAGED_ROLE } from '#domain/provisioning/managed.ts'
import { type Contact, type ContactDraft, contactChanges, isLocked, offeredRoles } from '#domain/settings/contacts.ts'
import { addressesIn, type FreeDomains, normalizedEmail } from '#domain/settings/email-address.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { FormRows } from '#web/form/form-rows.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useAddressRequest } from '#web/lib/address/use-address-request.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText, ZONE_NOTE } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { contactFormErrors } from '#web/modules/settings/contact-form-errors.ts'
import { type ContactRecord, contactsQuery, saveContacts } from '#web/modules/settings/portal-access.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ManagedMark } from '#web/ui/managed-mark.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './portal-access.module.css'

type Values = { contacts: readonly ContactDraft[] }

const FIELDS: Fields<Values> = {
  contacts: {
    label: 'Contacts',
    // The role with the fewest rights, which most new contacts get.
    newRow: { email: '', role: VIEWER },
    byRow: { keyOf: ({ email }) => normalizedEmail(email), text: ({ role }) => role, absent: 'Not a contact' },
  },
}

const READ_ONLY =
  'You can see the contacts, but not change them. Only Administrators and Support Coordinators of this account can.'
const CHANGES_OWN_ROLE = 'This changes your own access to this account. Do you wish to continue?'

/** More rows would make typing slow. */
const MAX_SHOWN = 200

type Props = { loaded: readonly ContactRecord[]; freeDomains: FreeDomains }

export function ContactsForm({ loaded, freeDomains }: Props) {
  const { number, reload } = useKnownCustomer()
  const { user } = useSignedIn()
  const queries = useQueryClient()
  const mayGrantCoordinator = useCan('contacts.grant-coordinator')
  const [search, setSearch] = useState('')
  const [contacts] = useState(() => loaded.map(({ email, role }) => ({ email, role }) as Contact))
  const signIns = new Map(loaded.map(({ email, lastSignIn }) => [email, lastSignIn]))
  const managed = new Set(loaded.flatMap(({ email, isManaged }) => (isManaged ? [email] : [])))
  const form = useForm({
    loaded: contacts,
    valuesOf: (contacts): Values => ({ contacts }),
    fields: FIELDS,
    validate: ({ contacts }) => contactFormErrors(contacts, freeDomains),
    // Without errors, every contact has one of the roles.
    save: ({ contacts }, before, key) => saveContacts(number, contacts as Contact[], before, key),
    success: 'Portal access has been saved.',
    onSaved: (saved, before) => {
      const records = saved.map((contact) => ({
        ...contact,
        lastSignIn: signIns.get(contact.email) ?? null,
        isManaged: managed.has(contact.email),
      }))
      queries.setQueryData(contactsQuery(number).queryKey, records)
      if (changesRoleOf(user.email, before, saved)) reload()
    },
    confirm: async ({ contacts }, before) =>
      !changesRoleOf(user.email, before, contacts) || confirm(CHANGES_OWN_ROLE, 'Change my access'),
    hasUndo: true,
    refusals: { LAST_ADMINISTRATOR: 'contacts', MANAGED_BY_SCIM: 'contacts' },
    readOnly: useCan('contacts.write') ? undefined : READ_ONLY,
    draftName: `contacts:${number}`,
  })
  const rows = form.rows('contacts')
  useAddressRequest('find', setSearch)
  useAddressRequest('add', (email) => form.readOnly === undefined && rows.add([{ email, role: VIEWER }]))
  const isManaged = ({ email }: ContactDraft) => managed.has(normalizedEmail(email))
  const isFound = ({ value, isAdded }: (typeof rows.rows)[number]) => isAdded || matches(value, search)
  const found = rows.rows.filter(isFound)
  const shown = found.filter(({ isAdded, isRemoved }, at) => at < MAX_SHOWN || isAdded || isRemoved)
  return (
    <Form form={form}>
      <div className={classes.searchLine}>
        <TextInput
          size="xs"
          type="search"
          aria-label="Search contacts"
          placeholder="Search contacts"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <span className={classes.count} role="status">
          {countOfContacts(found.filter(({ isRemoved }) => !isRemoved).length, rows.count)}
        </span>
      </div>
      <FormRows
        rows={{ ...rows, rows: shown }}
        label="Contacts"
        add="Add contact"
        none={rows.count > 0 ? 'No contacts match the search.' : 'This account has no contacts.'}
        nameOf={nameOf}
        isReadOnly={(contact) => isLocked(contact, mayGrantCoordinator) || isManaged(contact)}
        hasEdit
        columns={[
          {
            label: 'Email',
            text: (contact) => (
              <>
                {contact.email}
                {isManaged(contact) && <ManagedMark reason={MANAGED_ROLE} />}
              </>
            ),
            input: (row) => (
              <TextInput
                {...row.field('email')}
                aria-label="Email"
                type="email"
                placeholder="name@company.com"
                maxLength={320}
                title={row.value.email}
                onPaste={(event) => {
                  const pasted = addressesIn(event.clipboardData.getData('text'))
                  if (pasted.length < 2) return
                  event.preventDefault()
                  const known = new Set(form.values.contacts.map(({ email }) => normalizedEmail(email)))
                  const added = pasted.filter((email) => !known.has(email))
                  row.replace(added.map((email) => ({ email, role: row.value.role })))
                }}
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
          {
            label: 'Status',
            width: '14rem',
            text: ({ email }) => <LastSignIn at={signIns.get(normalizedEmail(email))} />,
          },
        ]}
      />
      {shown.length < found.length && (
        <p className={classes.hint}>The first {MAX_SHOWN} are shown. Search to find others.</p>
      )}
      {!form.readOnly && (
        <p className={classes.hint}>You can paste several email addresses into the field of a new contact.</p>
      )}
      <FormFooter summary={changesText(form.original, form.values.contacts)} />
    </Form>
  )
}

/** A contact who has never signed in is pending. A new contact has no state yet. */
function LastSignIn({ at }: { at: string | null | undefined }) {
  if (at === undefined) return null
  if (at === null) return <Badge variant="default">Pending</Badge>
  return (
    <span>
      Active
      <span className={classes.signIn}>
        Last sign-in{' '}
        <time dateTime={at} title={ZONE_NOTE}>
          {timeText(at)}
        </time>
      </span>
    </span>
  )
}

function matches({ email, role }: ContactDraft, search: string): boolean {
  const text = search.trim().toLowerCase()
  return email.toLowerCase().includes(text) || role.toLowerCase().includes(text)
}

function countOfContacts(found: number, all: number): string {
  const what = all === 1 ? 'contact' : 'contacts'
  return found === all ? `${all} ${what}` : `${found} of ${all} ${what}`
}

const nameOf = ({ email }: ContactDraft) => email || 'the new contact'

const LOCKED = 'Only the account manager can change Support Coordinators.'

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
