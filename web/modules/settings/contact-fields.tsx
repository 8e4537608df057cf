import { NativeSelect, Table, TextInput, Tooltip } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { SUPPORT_COORDINATOR } from '#domain/access/roles.ts'
import { type ContactDraft, type ContactErrors, offeredRoles } from '#domain/settings/contacts.ts'
import type { ContactRow } from '#web/modules/settings/contact-rows.ts'
import { RemoveButton, Removed } from '#web/ui/remove-button.tsx'
import classes from './portal-access.module.css'

type Props = {
  contact: ContactRow
  errors: ContactErrors
  isReadOnly: boolean
  /** The id of what says why the row cannot be changed. */
  describedBy: string | undefined
  mayGrantCoordinator: boolean
  /** A row that was just asked for is where one goes on typing. */
  takesFocus: boolean
  onChange(part: Partial<ContactDraft>): void
  onRemove(): void
  onKeep(): void
}

const LOCKED = 'Support Coordinators are appointed through the account manager.'

export function ContactFields(props: Props) {
  const { contact, errors, isReadOnly, describedBy, mayGrantCoordinator, takesFocus, onChange } = props
  const [left, setLeft] = useState({ email: contact.email !== '', role: contact.role !== '' })
  const email = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) email.current?.focus()
  }, [])
  const who = contact.email || 'the new contact'
  return (
    <Table.Tr>
      <Table.Td data-label="Email">
        {contact.isRemoved ? (
          <Removed>{contact.email}</Removed>
        ) : isReadOnly ? (
          <span className={classes.fixed}>{contact.email}</span>
        ) : (
          <TextInput
            ref={email}
            aria-label="Email"
            type="email"
            placeholder="name@company.com"
            autoComplete="off"
            maxLength={320}
            title={contact.email}
            value={contact.email}
            error={left.email && errors.email}
            onBlur={() => setLeft((now) => ({ ...now, email: true }))}
            onChange={(event) => onChange({ email: event.currentTarget.value })}
          />
        )}
      </Table.Td>
      <Table.Td data-label="Role">
        {contact.isRemoved ? (
          <Removed>{contact.role}</Removed>
        ) : isReadOnly ? (
          <span className={classes.fixed}>
            {contact.role}
            {contact.role === SUPPORT_COORDINATOR && (
              <Tooltip label={LOCKED}>
                <IconLock size={15} role="img" aria-label={`Locked: ${LOCKED}`} />
              </Tooltip>
            )}
          </span>
        ) : (
          <NativeSelect
            aria-label={`Role of ${who}`}
            data={[{ value: '', label: 'Choose a role', disabled: true }, ...offeredRoles(mayGrantCoordinator)]}
            title={contact.role}
            value={contact.role}
            error={left.role && errors.role}
            onBlur={() => setLeft((now) => ({ ...now, role: true }))}
            onChange={(event) => onChange({ role: event.currentTarget.value })}
          />
        )}
      </Table.Td>
      <Table.Td className={classes.removing}>
        <RemoveButton
          what={who}
          isRemoved={contact.isRemoved === true}
          disabled={isReadOnly && !contact.isRemoved}
          describedBy={describedBy}
          onRemove={props.onRemove}
          onKeep={props.onKeep}
        />
      </Table.Td>
    </Table.Tr>
  )
}
